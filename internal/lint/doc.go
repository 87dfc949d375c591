// Package lint holds what the code keeps to and no ready-made linter knows: who
// may import whom, what only commands may touch, and which words never stand in
// a file. Its tests hold the whole repository to it; formatting, go vet and the
// general linter are stages of the test command, in internal/ci.
package lint
