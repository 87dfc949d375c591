package main

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"
)

// call is what one call of the command gave.
type call struct {
	code     int
	out, err string
}

// testNow is the time on the tests' clock.
var testNow = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// runApp runs one command line in this process, without a terminal, with a
// clock that stands at testNow and an environment of nothing but env, each
// entry written NAME=VALUE.
func runApp(t testing.TB, env []string, args ...string) call {
	t.Helper()
	return runTerminal(t, false, env, args...)
}

// runTerminal is runApp where standard output is, or is not, a terminal.
func runTerminal(t testing.TB, terminal bool, env []string, args ...string) call {
	t.Helper()
	var out, err bytes.Buffer
	a := &app{
		in: strings.NewReader(""), out: &out, err: &err, now: func() time.Time { return testNow }, rand: rand.Reader, outTTY: terminal,
		env: func(name string) (string, bool) {
			for _, e := range env {
				if key, value, _ := strings.Cut(e, "="); key == name {
					return value, true
				}
			}
			return "", false
		},
	}
	code := a.main(args)
	return call{code, out.String(), err.String()}
}
