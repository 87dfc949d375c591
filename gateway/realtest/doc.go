// Package realtest starts programs of others for tests: the LiteLLM proxy and
// the Portkey gateway as their makers ship them, and a small language model. What
// our own reading of a gateway cannot prove, a call through the real one can.
//
// It installs nothing: "go run ./internal/ci gateways" does, and runs the tests
// named TestReal…. Without it they are skipped and say so; with CI=true that is a
// failure. Each program listens on loopback and ends with its test, or with the
// test's process, however that ends.
package realtest
