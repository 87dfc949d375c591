// Command newel scores LLM outputs: one suite definition, a ladder of scorers,
// and the runner you already operate.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"newel"
	"newel/report"
	"newel/suite"
)

// Exit codes.
const (
	exitPassed       = 0
	exitFailed       = 1
	exitUsage        = 2
	exitIncomplete   = 3
	exitInconclusive = 4
	exitInterrupted  = 130
)

func main() {
	cobra.EnableCommandSorting = false // ours stand in the order of use
	go frugal(make(chan struct{}))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv, proxy: http.ProxyFromEnvironment, now: time.Now, rand: rand.Reader,
		signals: signals, outTTY: term.IsTerminal(int(os.Stdout.Fd())), errTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		a.width = width
	}
	os.Exit(a.main(os.Args[1:]))
}

// app is one call of the command: its streams, its surroundings and the flags
// that every command takes.
type app struct {
	in             io.Reader
	out, err       io.Writer
	env            func(string) (string, bool)
	now            func() time.Time
	rand           io.Reader
	signals        <-chan os.Signal
	outTTY, errTTY bool
	width          int
	proxy          func(*http.Request) (*url.URL, error) // nil: none

	store   string
	json    bool
	quiet   bool
	noColor bool
	workers int
	// inFlight is how many calls of judges may be under way; 0: as the suite says.
	inFlight int
	roots    []string
	allow    []string

	noBaseline bool
	begun      bool // the command line was understood
	// goOn is how the run that is under way goes on; nil: there is none.
	goOn *atomic.Pointer[string]
	said map[string]bool // by once
}

// exitError carries an exit code. Its error, if any, is printed.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// definitionError holds the mistakes of a suite, which keep its data from being
// read.
type definitionError struct{ mistakes *newel.Mistakes }

func (e *definitionError) Error() string { return e.mistakes.Error() }

func (e *definitionError) Unwrap() error { return e.mistakes }

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// errInterrupted is the cause after a first Ctrl-C.
var errInterrupted = errors.New("interrupted")

// main runs one command line and returns the exit code.
func (a *app) main(args []string) int {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	ended := make(chan struct{})
	defer close(ended)
	a.goOn = &atomic.Pointer[string]{}
	go a.interrupts(stop, ended)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !a.begun && !errors.As(err, new(*exitError)) {
		err = &exitError{exitUsage, err}
	}
	return a.code(causeOf(ctx, err))
}

// interrupts ends what is under way on the first signal and the process on
// the second.
func (a *app) interrupts(stop context.CancelCauseFunc, ended <-chan struct{}) {
	select {
	case <-a.signals:
		stop(errInterrupted)
	case <-ended:
		return
	}
	fmt.Fprintln(a.err, "newel: finishing what is under way; interrupt again to stop at once")
	select {
	case <-a.signals:
		if text := a.goOn.Load(); text != nil && !a.quiet {
			fmt.Fprint(a.err, *text)
		}
		os.Exit(exitInterrupted)
	case <-ended:
	}
}

// underWay notes how a run goes on that is stopped at once, until the returned
// function is called.
func (a *app) underWay(store newel.Store, id, dir string, s *suite.Suite) (ended func()) {
	if a.goOn == nil {
		return func() {}
	}
	text := fmt.Sprintf("newel: run %s is stopped at once; what was scored and paid is kept, but for calls that were under way. Go on with:\n  newel resume %s%s%s\n",
		id, id, a.storeHint(store), a.allowHintOf(s, dir))
	a.goOn.Store(&text)
	return func() { a.goOn.Store(nil) }
}

// code prints err and returns the exit code that it stands for.
func (a *app) code(err error) int {
	if err == nil {
		return exitPassed
	}
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.err != nil {
			a.complain(exit.err)
		}
		return exit.code
	}
	a.complain(err)
	return codeOf(err)
}

func codeOf(err error) int {
	var mistakes *newel.Mistakes
	switch {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &mistakes), errors.Is(err, newel.ErrNotFound), errors.Is(err, newel.ErrExists):
		return exitUsage
	}
	return exitIncomplete
}

// complain prints an error: mistakes one a line as they are, so that editors
// find the places.
func (a *app) complain(err error) {
	var mistakes *newel.Mistakes
	if errors.As(err, &mistakes) && a.json {
		_ = writeJSON(a.err, mistakesView(mistakes))
		return
	}
	if mistakes != nil {
		fmt.Fprintln(a.err, visibleLines(mistakes.Error()))
		n, unread := mistakes.Len(), ""
		if errors.As(err, new(*definitionError)) {
			unread = " in the suite; its data was not read, and"
		}
		fmt.Fprintf(a.err, "newel: %d %s%s nothing was run\n", n, plural(n, "mistake", "mistakes"), cmp.Or(unread, ";"))
		return
	}
	fmt.Fprintln(a.err, "newel: "+visibleLines(strings.TrimPrefix(err.Error(), "newel: ")))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// visibleLines makes text safe for a terminal, keeping its lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = report.Visible(l)
	}
	return strings.Join(lines, "\n")
}
