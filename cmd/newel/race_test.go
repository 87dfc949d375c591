//go:build race

package main

// raced says that the race detector is on, which makes a process ten times
// slower.
const raced = true
