package upstream

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
)

// maxBody is the longest request that is read.
const maxBody = 64 << 20

// Server is an upstream that runs.
type Server struct {
	URL string // without a path; the routes are below /v1 and elsewhere

	script  Script
	ledger  atomic.Pointer[ledger]
	http    *http.Server
	gate    sync.Mutex
	closed  bool
	calls   sync.WaitGroup
	closing chan struct{}
	ended   chan struct{}
	buffers sync.Pool
}

// tester is what a test gives.
type tester interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Start runs an upstream until the test ends.
func Start(t tester, script Script) *Server {
	t.Helper()
	s, err := Listen("127.0.0.1:0", script)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Listen runs an upstream on an address of the loopback.
func Listen(addr string, script Script) (*Server, error) {
	if script.Act == nil {
		script.Act = Always(Act{})
	}
	if err := check(addr, script); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + l.Addr().String(), script: script, closing: make(chan struct{}), ended: make(chan struct{})}
	s.ledger.Store(newLedger())
	s.buffers.New = func() any { b := make([]byte, 0, 4096); return &b }
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve)}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(l)
	}()
	return s, nil
}

func check(addr string, script Script) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && !ip.IsLoopback() {
		return errors.New("an upstream listens on loopback only, not on " + addr)
	}
	if !known(script.Dialect) {
		return errors.New("no dialect " + script.Dialect + "; there are " + Plain + ", " + LiteLLM + ", " + AgentCC)
	}
	var sum float64
	for _, share := range script.Shares {
		sum += share.Part
	}
	if sum > 1 {
		return errors.New("the shares add up to more than 1")
	}
	return nil
}

// Close ends all calls at once and returns when they are counted.
func (s *Server) Close() {
	s.gate.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.gate.Unlock()
	_ = s.http.Close()
	<-s.ended
	s.calls.Wait()
}

// Reset sets all counters to zero. Calls that are under way count in the old
// ones.
func (s *Server) Reset() { s.ledger.Store(newLedger()) }

// serve is all routes.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/chat/completions") || strings.HasSuffix(r.URL.Path, "/messages")):
		s.chat(w, r)
	case r.URL.Path == "/stats":
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, s.Counts(), json.Deterministic(true))
	case r.Method == http.MethodPost && r.URL.Path == "/reset":
		s.Reset()
		w.WriteHeader(http.StatusNoContent)
	default:
		http.NotFound(w, r)
	}
}

// chat is one call, from its body to the last byte.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	if !s.admit() {
		return
	}
	defer s.calls.Done()
	buffer := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buffer)
	body, err := fill((*buffer)[:0], r.Body)
	*buffer = body
	if err != nil {
		return
	}
	l := s.ledger.Load()
	c, bad := read(r, body)
	let := l.enter(c, s.script.Capacity, s.script.Keep, begun)
	o := s.perform(w, r, c, s.decide(c, bad, let), begun)
	o.let = let
	l.leave(c, o, time.Now())
}

// admit adds to the calls under way, unless the server closes.
func (s *Server) admit() bool {
	s.gate.Lock()
	defer s.gate.Unlock()
	if !s.closed {
		s.calls.Add(1)
	}
	return !s.closed
}

// fill reads to the end, or to maxBody.
func fill(b []byte, r io.Reader) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err == nil && len(b) > maxBody {
			err = errors.New("the body is too long")
		}
		if err != nil {
			return b, err
		}
	}
}

// decide says what comes of a call.
func (s *Server) decide(c *Call, bad error, let bool) Act {
	switch {
	case bad != nil:
		return Act{Status: http.StatusBadRequest, Message: bad.Error()}
	case s.script.Key != "" && c.Header.Get("X-Api-Key") != s.script.Key && c.Header.Get("Authorization") != "Bearer "+s.script.Key:
		return Act{Status: http.StatusUnauthorized, Message: "invalid api key"}
	case !let:
		return Act{Status: http.StatusTooManyRequests, RetryAfter: s.script.RetryAfter, Message: "rate limit reached"}
	}
	at := s.draw("share", c)
	for _, share := range s.script.Shares {
		if at < share.Part {
			return share.Act
		}
		at -= share.Part
	}
	return s.script.Act(c)
}
