// Package target asks the system under test for the output of cases that bring
// none: over the OpenAI chat protocol, over plain HTTP, or from a local command
// that is kept running.
//
// It fills requests from cases, bounds how many are under way, retries what may
// pass and reports everything else as an error of the answer. Storing answers,
// asking only once a run and the last pass over errors are work's; prices and
// telemetry of judge calls are gateway's.
package target

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"newel"
)

// Defaults of the keys that stand beside a target's kind.
const (
	DefaultTimeout     = 60 * time.Second // of one attempt
	DefaultConcurrency = 8
	DefaultRetries     = 2
)

// MaxBody bounds a request, a response and a line of a command, in bytes.
const MaxBody = 16 << 20

// Env is what targets take from their surroundings. The zero value has no
// variables, allows no commands and uses the real clock.
type Env struct {
	// Dir is the suite's folder: commands run there.
	Dir string
	// AllowCommands lists the folders whose suites may run commands.
	AllowCommands []string
	// Elsewhere says that the target is asked on another machine: a command
	// that may not run here is no mistake.
	Elsewhere bool
	// Lookup reads an environment variable; nil: none is set.
	Lookup func(name string) (string, bool)
	// Now tells the time; nil: time.Now.
	Now func() time.Time
	// Wait returns after d, or with the cause when ctx is done before; nil: a
	// timer.
	Wait func(ctx context.Context, d time.Duration) error
	// Random gives numbers in [0, 1) that spread the waits before a retry, to
	// several goroutines; nil: the runtime's.
	Random func() float64
	// Proxy chooses a proxy for a request, as http.Transport.Proxy; nil: none.
	Proxy func(*http.Request) (*url.URL, error)
}

func (e Env) withDefaults() Env {
	if e.Lookup == nil {
		e.Lookup = func(string) (string, bool) { return "", false }
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Wait == nil {
		e.Wait = wait
	}
	if e.Random == nil {
		e.Random = rand.Float64
	}
	return e
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Target is one system under test. It is safe for use by several goroutines;
// at most its concurrency of requests is under way, whoever asks.
type Target struct {
	name    string // its key under targets:, empty for target:
	kind    kind
	env     Env
	secrets *secrets
	timeout time.Duration
	retries int
	slots   chan struct{} // holds as many as concurrency
}

// Name returns the target's key under targets:, empty for the only one.
func (t *Target) Name() string { return t.name }

// Variables lists the environment variables that the target needs where it is
// asked, sorted.
func (t *Target) Variables() []string { return t.secrets.Names() }

// kind is one way to ask.
type kind interface {
	// opening returns the messages that a conversation starts with.
	opening(sc *scope) ([]any, *fault)
	// ask makes one attempt. A fault's message may hold secrets: the caller
	// takes them out.
	ask(ctx context.Context, sc *scope) (*reply, *fault)
	// cancelled tells that the run was given up: nothing is to be kept ready.
	cancelled()
	close()
}

// reply is what one attempt brought.
type reply struct {
	output  newel.Raw
	context []any // passages
	run     map[string]any
}

// fault is why an attempt brought nothing.
type fault struct {
	kind   newel.ErrorKind
	text   string
	detail string        // what a command wrote to its stderr
	again  bool          // asking again may help
	after  time.Duration // how long the target wants to be left alone
}

// scope is what a request is made of: the case, and of a conversation the
// messages so far.
type scope struct {
	subject  *newel.Subject
	messages []any  // nil where the case brings no chat
	turn     string // the user text being sent
}
