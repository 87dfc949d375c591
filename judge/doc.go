// Package judge asks a language model whether an output is right and reads its
// answer: the third layer of the ladder.
//
// It fills prompts from a case so that nothing in the case can pass for part of
// the prompt, says what the answer must look like, and takes as a verdict only
// what stands where the answer must. How a call travels is the gateway's, what
// it costs and whether it is made at all is paid's; definitions are read from
// YAML by suite.
package judge
