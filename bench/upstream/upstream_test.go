package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

const (
	chat     = "/v1/chat/completions"
	messages = "/v1/messages"
)

// got is an answer as a caller sees it.
type got struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
}

func ask(t *testing.T, url, body string, header ...string) got {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	p, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return got{err: err}
	}
	defer p.Body.Close()
	b, err := io.ReadAll(p.Body)
	return got{p.StatusCode, p.Header, string(b), err}
}

// body is a request of one message.
func body(text string, more ...string) string {
	return `{"model":"small","max_tokens":9,"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"` + text + `"}]` + strings.Join(more, "") + `}`
}

// at follows keys and indices into a JSON text.
func at(t *testing.T, text string, path ...any) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, p := range path {
		switch key := p.(type) {
		case string:
			v = v.(map[string]any)[key]
		case int:
			v = v.([]any)[key]
		}
	}
	return v
}

func TestAnAnswerIsWhatTheScriptSays(t *testing.T) {
	t.Parallel()
	small := &upstream.Usage{In: 1200, Cached: 1024, Out: 300, Reasoning: 128}
	cases := []struct {
		name   string
		script upstream.Script
		text   string
		want   string
	}{
		{"without a script it is a pass", upstream.Script{}, "case-1", upstream.Pass},
		{"a text of its own", upstream.Script{Act: upstream.Says("nö\n\"x\"")}, "case-1", "nö\n\"x\""},
		{"an echo", upstream.Script{Act: upstream.Echo}, "hello", "hello"},
		{"every third case fails: the third", upstream.Script{Act: upstream.FailEvery(3, "P", "F"), Usage: small}, "about case-000003.", "F"},
		{"every third case fails: the fourth", upstream.Script{Act: upstream.FailEvery(3, "P", "F")}, "about case-000004", "P"},
		{"every third case fails: none is named", upstream.Script{Act: upstream.FailEvery(3, "P", "F")}, "about nothing", "P"},
		{"a function sees the call", upstream.Script{Act: func(c *upstream.Call) upstream.Act {
			return upstream.Act{Text: fmt.Sprint(c.Model, " ", c.Marker, " ", c.Nth, " ", c.Text())}
		}}, "case-a.1/2", "small case-a.1 1 be brief\ncase-a.1/2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := upstream.Start(t, c.script)
			for route, path := range map[string][]any{chat: {"choices", 0, "message", "content"}, messages: {"content", 0, "text"}} {
				a := ask(t, s.URL+route, body(c.text, fmt.Sprintf(`,"metadata":{"route":%q}`, route)))
				if a.status != 200 || at(t, a.body, path...) != c.want {
					t.Errorf("%s: want %q, got %d %s", route, c.want, a.status, a.body)
				}
			}
		})
	}
}

func TestFaultsLookLikeAProviders(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		act    upstream.Act
		status int
		chat   string // of the error's type
		other  string // on Anthropic's route
	}{
		{"too many", upstream.Act{Status: 429, RetryAfter: 1500 * time.Millisecond}, 429, "rate_limit_error", "rate_limit_error"},
		{"broken", upstream.Act{Status: 500}, 500, "server_error", "api_error"},
		{"overloaded", upstream.Act{Status: 529}, 529, "overloaded_error", "overloaded_error"},
		{"bad request", upstream.Act{Status: 400}, 400, "invalid_request_error", "invalid_request_error"},
		{"bad key", upstream.Act{Status: 401}, 401, "authentication_error", "authentication_error"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := upstream.Start(t, upstream.Script{Act: upstream.Always(c.act)})
			for route, want := range map[string]string{chat: c.chat, messages: c.other} {
				a := ask(t, s.URL+route, body("x"))
				if a.status != c.status || at(t, a.body, "error", "type") != want {
					t.Errorf("%s: want %d %s, got %d %s", route, c.status, want, a.status, a.body)
				}
				after := a.header.Get("Retry-After")
				if (after == "2") != (c.act.RetryAfter > 0) {
					t.Errorf("%s: got Retry-After %q", route, after)
				}
			}
			s.Close()
			want := upstream.Counts{Requests: 2, Statuses: map[int]int{c.status: 2}, Calls: 1, Refused: 2, MostAsked: 2, Most: 1}
			differs(t, want, s.Counts())
		})
	}
}

// differs compares counters, but for the time that passed.
func differs(t *testing.T, want, got upstream.Counts) {
	t.Helper()
	got.SpanMS = 0
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
}

func TestACutAnswerEndsEarlyAndIsBilled(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"", `,"stream":true`} {
		s := upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Cut: true})})
		a := ask(t, s.URL+chat, body("x", more))
		if a.err == nil || a.status != 200 {
			t.Errorf("stream %q: want half an answer, got %+v", more, a)
		}
		s.Close()
		differs(t, upstream.Counts{Requests: 1, Statuses: map[int]int{200: 1}, Paid: 1, Calls: 1, CallsPaid: 1, Cut: 1, MostAsked: 1, Most: 1}, s.Counts())
	}
}

func TestAHungCallEndsWithTheServer(t *testing.T) {
	t.Parallel()
	arrived := make(chan bool, 2)
	s := upstream.Start(t, upstream.Script{Act: func(c *upstream.Call) upstream.Act {
		arrived <- true
		return upstream.Act{Hang: c.Marker == "case-hang", Delay: time.Hour}
	}})
	var calls sync.WaitGroup
	for _, text := range []string{"case-hang", "case-slow"} {
		calls.Go(func() {
			if a := ask(t, s.URL+chat, body(text)); a.err == nil && a.status == 200 && strings.Contains(a.body, "choices") {
				t.Errorf("%s: want no answer, got %+v", text, a)
			}
		})
	}
	<-arrived
	<-arrived
	s.Close()
	calls.Wait()
	if c := s.Counts(); c.Paid != 0 || c.Hung != 1 {
		t.Errorf("want one hung call and none paid, got %+v", c)
	}
}

func TestNonsenseIsSentAsItStands(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Body: "<html>"})})
	if a := ask(t, s.URL+chat, body("x")); a.status != 200 || a.body != "<html>" {
		t.Errorf("got %+v", a)
	}
}

func TestBadRequestsAreRefused(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Key: "sk-1"})
	for name, c := range map[string]struct {
		route, body, key string
		status           int
	}{
		"no JSON":               {chat, "{", "sk-1", 400},
		"no model":              {chat, `{"messages":[{"role":"user","content":"x"}]}`, "sk-1", 400},
		"no message":            {chat, `{"model":"m","messages":[]}`, "sk-1", 400},
		"no max_tokens":         {messages, `{"model":"m","messages":[{"role":"user","content":"x"}]}`, "sk-1", 400},
		"another key":           {chat, body("x"), "sk-2", 401},
		"no key":                {chat, body("x"), "", 401},
		"the key":               {chat, body("x"), "sk-1", 200},
		"a path of no provider": {"/v1/embeddings", body("x"), "sk-1", 404},
	} {
		if a := ask(t, s.URL+c.route, c.body, "Authorization", "Bearer "+c.key); a.status != c.status {
			t.Errorf("%s: want %d, got %d %s", name, c.status, a.status, a.body)
		}
	}
	if a := ask(t, s.URL+messages, body("x"), "X-Api-Key", "sk-1"); a.status != 200 {
		t.Errorf("Anthropic's header: got %d", a.status)
	}
}

func TestScriptsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		addr   string
		script upstream.Script
	}{
		"every address":       {":0", upstream.Script{}},
		"an address outside":  {"192.0.2.1:0", upstream.Script{}},
		"an unknown dialect":  {"127.0.0.1:0", upstream.Script{Dialect: "x"}},
		"shares of too much":  {"127.0.0.1:0", upstream.Script{Shares: []upstream.Share{{Part: 0.6}, {Part: 0.5}}}},
		"no address anywhere": {"nonsense", upstream.Script{}},
	} {
		if s, err := upstream.Listen(c.addr, c.script); err == nil {
			s.Close()
			t.Errorf("%s: want an error", name)
		}
	}
}
