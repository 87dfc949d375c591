package gateway

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
)

const answer = `{"id":"c1","object":"chat.completion","model":"gpt-4o-mini-2024-07-18","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"pass"}}],"usage":{"prompt_tokens":1200,"completion_tokens":300,"total_tokens":1500,"prompt_tokens_details":{"cached_tokens":1024}}}`

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func says(w http.ResponseWriter, headers map[string]string, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	for name, v := range headers {
		w.Header().Set(name, v)
	}
	w.WriteHeader(status)
	io.WriteString(w, body)
}

func question(t testing.TB, c *Client) Body {
	t.Helper()
	b, err := c.Body(Request{Model: "gpt-4o-mini", Messages: []Message{said("user", "2+2=4?")}, MaxTokens: 20})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestACallIsSentAndRead(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, body = r, string(data)
		says(w, nil, 200, answer)
	})
	c := client(t, Options{URL: s.URL + "/v1", Key: "sk-secret", Headers: map[string]string{"X-Team": "a"}})
	b := question(t, c)
	reply := c.Send(t.Context(), b, Tags{Suite: "s", Key: newel.HashOf([]byte("k"))})
	if reply.Fault != nil || reply.Text != "pass" || reply.Finish != "stop" {
		t.Fatalf("%+v", reply)
	}
	if reply.Call.ClientMS <= 0 || reply.Call.Key != newel.HashOf([]byte("k")) || reply.Call.Attempts != 1 {
		t.Errorf("%+v", reply.Call)
	}
	if body != string(b.Keyed) || got.URL.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer sk-secret" || got.Header.Get("X-Team") != "a" {
		t.Errorf("%s %s %v", got.URL, body, got.Header)
	}
}

func TestWhatIsSentToEachDialect(t *testing.T) {
	t.Parallel()
	key := newel.HashOf([]byte("k"))
	tags := Tags{Suite: "billing, EU", Rubric: "grounded", Run: "r1", Runner: "local", Case: "c1", Key: key}
	cases := []struct {
		name    string
		o       Options
		headers map[string]string
	}{
		{"openai", Options{Dialect: "openai", Key: "k1"}, map[string]string{"Authorization": "Bearer k1", "X-Api-Key": ""}},
		{"anthropic", Options{Dialect: "anthropic", Key: "k1"}, map[string]string{"Authorization": "", "X-Api-Key": "k1", "Anthropic-Version": "2023-06-01"}},
		{"the Messages wire of an unknown gateway", Options{URL: "/v1/messages", Key: "k1"}, map[string]string{"Authorization": "Bearer k1", "X-Api-Key": "k1", "Anthropic-Version": "2023-06-01"}},
		{"litellm", Options{Dialect: "litellm", Key: "k1"}, map[string]string{"Authorization": "Bearer k1", "X-Litellm-Call-Id": key.String(), "X-Litellm-Num-Retries": "0",
			"X-Litellm-Tags": "suite:billing%2C EU,rubric:grounded,runner:local,run:r1"}},
		{"portkey", Options{Dialect: "portkey", Key: "k1", Config: `{"retry":{"attempts":1}}`}, map[string]string{"Authorization": "Bearer k1", "X-Portkey-Config": `{"retry":{"attempts":1}}`,
			"X-Portkey-Trace-Id": key.String(), "X-Portkey-Metadata": `{"case":"c1","rubric":"grounded","run":"r1","runner":"local","suite":"billing, EU"}`}},
		{"agentcc", Options{Dialect: "agentcc"}, map[string]string{"Authorization": "", "Cache-Control": "no-store", "X-Agentcc-Trace-Id": key.String(),
			"X-Agentcc-Metadata": `{"case":"c1","rubric":"grounded","run":"r1","runner":"local","suite":"billing, EU"}`}},
		{"a header of the suite's wins", Options{Dialect: "agentcc", Headers: map[string]string{"cache-control": "max-age=5"}}, map[string]string{"Cache-Control": "max-age=5"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var got http.Header
			s := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header; says(w, nil, 200, answer) })
			tc.o.URL = s.URL + tc.o.URL
			c := client(t, tc.o)
			c.Send(t.Context(), question(t, c), tags)
			for name, want := range tc.headers {
				if got.Get(name) != want {
					t.Errorf("%s: %q, want %q", name, got.Get(name), want)
				}
			}
		})
	}
}

func TestAutoGoesByWhatComesBack(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	var tagged []bool
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tagged = append(tagged, r.Header.Get("X-Litellm-Tags") != "")
		switch n.Add(1) {
		case 1:
			says(w, map[string]string{"X-Litellm-Version": "1.106.12", "X-Litellm-Response-Cost": "0.0002832", "X-Litellm-Attempted-Fallbacks": "0", "X-Litellm-Attempted-Retries": "0"}, 200, answer)
		case 2: // a proxy in between
			says(w, map[string]string{"Content-Type": "text/html"}, 502, "<html>")
		default:
			says(w, map[string]string{"X-Litellm-Call-Id": "x"}, 429, `{"error":{"type":"throttling_error","message":"litellm.RateLimitError: slow. No fallback was attempted."}}`)
		}
	})
	c := client(t, Options{URL: s.URL, Dialect: "auto"})
	var dialects, costs []string
	for range 3 {
		reply := c.Send(t.Context(), question(t, c), Tags{Suite: "s"})
		dialects, costs = append(dialects, reply.Call.Dialect), append(costs, reply.Call.Cost.Status)
	}
	if diff := cmp.Diff([]string{"litellm", "openai", "litellm"}, dialects); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{newel.CostGateway, newel.CostUnknown, newel.CostZero}, costs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false, true, true}, tagged); diff != "" {
		t.Errorf("tags are sent once the gateway is known: %s", diff)
	}
}

func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { says(w, nil, 200, answer) }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	c := client(t, Options{URL: s.URL, Conns: 4})
	b := question(t, c)
	for range 20 {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if reply := c.Send(context.Background(), b, Tags{}); reply.Fault != nil {
					t.Errorf("%+v", reply.Fault)
				}
			})
		}
		group.Wait()
	}
	if n := opened.Load(); n > 16 {
		t.Errorf("%d connections for 80 calls, 4 at a time", n)
	}
}

func TestACompressedAnswerIsRead(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip is not asked for")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, answer)
		z.Close()
	})
	c := client(t, Options{URL: s.URL})
	if reply := c.Send(t.Context(), question(t, c), Tags{}); reply.Text != "pass" {
		t.Errorf("%+v", reply.Fault)
	}
}

func TestAnAnswerThatIsTooLarge(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, `{"x":"`+strings.Repeat("a", 1<<20)+`"}`)
		z.Close()
	})
	c := client(t, Options{URL: s.URL, MaxBody: 1000})
	reply := c.Send(t.Context(), question(t, c), Tags{})
	if f := reply.Fault; f == nil || f.Kind != newel.KindTooLarge || f.Again || !f.MayCost {
		t.Errorf("%+v", f)
	}
	if reply.Call.Cost.USD != nil {
		t.Errorf("%+v", reply.Call.Cost)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { elsewhere.Add(1); says(w, nil, 200, answer) })
	cases := []struct {
		name, to string
		status   int
		text     string
		message  string
	}{
		{"within the origin, the method kept, it is followed", "/moved/chat/completions", 308, "pass", ""},
		{"to another host it is refused", other.URL + "/v1/chat/completions", 307, "", "sends on to http://" + strings.TrimPrefix(other.URL, "http://")},
		{"one that would turn it into a GET is refused", "/moved/chat/completions", 301, "", "turn it into GET"},
		{"one in a circle ends", "/v1/chat/completions", 308, "", "more than 5 in a row"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/moved") {
					says(w, nil, 200, answer)
					return
				}
				http.Redirect(w, r, tc.to, tc.status)
			})
			c := client(t, Options{URL: s.URL, Key: "sk-secret"})
			reply := c.Send(t.Context(), question(t, c), Tags{})
			if tc.message == "" {
				if reply.Text != tc.text {
					t.Errorf("%+v", reply.Fault)
				}
				return
			}
			f := reply.Fault
			if f == nil || f.Again || f.MayCost || !f.Never || !strings.Contains(f.Message, tc.message) {
				t.Errorf("%+v", f)
			}
			if c := reply.Call.Cost; c.Status != newel.CostZero {
				t.Errorf("%+v", c)
			}
		})
	}
	t.Cleanup(func() {
		if elsewhere.Load() != 0 {
			t.Error("the other host was asked")
		}
	})
}

func TestWhatCannotBeReached(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { says(w, nil, 200, answer) }))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that are to fail
	secure.StartTLS()
	t.Cleanup(secure.Close)
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"model\"")
		conn.Close()
	})
	lost := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		conn.Close()
	})
	cases := []struct {
		name, url  string
		again, may bool
		message    string
		outcome    string
		cost       string
	}{
		{"a refused connection", closed.URL, true, false, "connection refused", "upstream_error", newel.CostZero},
		{"a host that is not there", "http://no-such-host.invalid", true, false, "no-such-host.invalid", "upstream_error", newel.CostZero},
		{"a certificate of nobody", secure.URL, false, false, "certificate", "gateway_error", newel.CostZero},
		{"TLS where there is none", strings.Replace(plain.URL, "http://", "https://", 1), false, false, "HTTP response to HTTPS client", "gateway_error", newel.CostZero},
		{"an answer that breaks off", cut.URL, true, true, "unexpected EOF", "upstream_error", newel.CostUnknown},
		{"a connection that is lost", lost.URL, true, true, "EOF", "upstream_error", newel.CostUnknown},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := client(t, Options{URL: tc.url})
			reply := c.Send(t.Context(), question(t, c), Tags{})
			f := reply.Fault
			if f == nil || f.Kind != newel.KindGateway || f.Again != tc.again || f.MayCost != tc.may || !tc.again && !f.Never || !strings.Contains(f.Message, tc.message) {
				t.Fatalf("%+v", f)
			}
			if reply.Call.Outcome != tc.outcome || reply.Call.Cost.Status != tc.cost || (reply.Call.Cost.USD == nil) != (tc.cost == newel.CostUnknown) {
				t.Errorf("%s %+v", reply.Call.Outcome, reply.Call.Cost)
			}
		})
	}
	t.Run("the certificate of an authority that is named is trusted", func(t *testing.T) {
		t.Parallel()
		roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
		c := client(t, Options{URL: secure.URL, Roots: string(roots)})
		if reply := c.Send(t.Context(), question(t, c), Tags{}); reply.Text != "pass" {
			t.Errorf("%+v", reply.Fault)
		}
	})
}

func TestANameThatNobodyKnowsIsNoPassingFault(t *testing.T) {
	t.Parallel()
	for _, nobody := range []bool{true, false} {
		err := &net.DNSError{Name: "gateway", Err: "no such host", IsNotFound: nobody, IsTemporary: !nobody}
		if f := noAnswerFrom(t.Context(), "gateway:443", err, false); f.Never != nobody || !f.Again || f.MayCost {
			t.Errorf("not found: %v: %+v", nobody, f)
		}
	}
}

func TestTheTimeIsOver(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	for _, cancelled := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		c := client(t, Options{URL: s.URL})
		if cancelled {
			ctx, cancel = context.WithCancel(t.Context())
			go func() { <-arrived; cancel() }()
		}
		reply := c.Send(ctx, question(t, c), Tags{})
		cancel()
		if !cancelled {
			<-arrived
		}
		f := reply.Fault
		want := newel.KindTimeout
		if cancelled {
			want = newel.KindGateway
		}
		if f == nil || f.Kind != want || f.Again == cancelled || !f.MayCost || reply.Call.Cost.Status != newel.CostUnknown {
			t.Errorf("cancelled %v: %+v %+v", cancelled, f, reply.Call.Cost)
		}
	}
}

func TestSecretsAreInNoMessage(t *testing.T) {
	t.Parallel()
	const key, other = "sk-very-secret-123", "pk-other-secret-456"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		message, _ := json.Marshal("bad key " + r.Header.Get("Authorization") + " and " + r.Header.Get("X-Other") + strings.Repeat(" pad", 200))
		says(w, nil, 401, `{"error":{"message":`+string(message)+`,"type":"authentication_error"}}`)
	})
	c := client(t, Options{URL: strings.Replace(s.URL, "http://", "http://user:pass-word-789@", 1), Key: key, Headers: map[string]string{"X-Other": other}, Secrets: []string{other}})
	reply := c.Send(t.Context(), question(t, c), Tags{})
	record, _ := json.Marshal(reply)
	for _, secret := range []string{key, other, "pass-word-789"} {
		if strings.Contains(string(record), secret) {
			t.Errorf("%s is in %s", secret, record)
		}
	}
	if !strings.Contains(reply.Fault.Message, "${KEY}") || !strings.Contains(reply.Fault.Message, "${SECRET_1}") {
		t.Error(reply.Fault.Message)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		o    Options
		want string
	}{
		{"no address", Options{}, "not one of http or https"},
		{"another scheme", Options{URL: "ftp://x"}, "not one of http or https"},
		{"a dialect that is not known", Options{URL: "http://x", Dialect: "litelm"}, `unknown dialect "litelm"`},
		{"a config for a gateway that takes none", Options{URL: "http://x", Dialect: "litellm", Config: "{}"}, "dialect litellm has none"},
		{"authorities without a certificate", Options{URL: "http://x", Roots: "nothing"}, "no PEM certificate"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := New(tc.o)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func BenchmarkSend(b *testing.B) {
	s := serve(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		says(w, map[string]string{
			"X-Litellm-Version": "1.106.12", "X-Litellm-Response-Cost": "0.0002832", "X-Litellm-Attempted-Fallbacks": "0", "X-Litellm-Attempted-Retries": "0", "X-Litellm-Model-Name": "openai/gpt-4o-mini",
			"X-Litellm-Response-Duration-Ms": "6.7", "X-Litellm-Overhead-Duration-Ms": "5"}, 200, answer)
	})
	c := client(b, Options{URL: s.URL, Dialect: "litellm", Key: "sk-secret"})
	body := question(b, c)
	b.ReportAllocs()
	for b.Loop() {
		if reply := c.Send(context.Background(), body, Tags{Suite: "s", Rubric: "r"}); reply.Fault != nil {
			b.Fatal(reply.Fault)
		}
	}
}

// BenchmarkRead is what newel itself does of a call: the request's bytes, the
// answer's reading, its cost.
func BenchmarkRead(b *testing.B) {
	prices := testPrices(b)
	d := litellmDialect()
	c := client(b, Options{Dialect: "litellm"})
	header := http.Header{"X-Litellm-Version": {"1.106.12"}, "X-Litellm-Response-Cost": {"0.0002832"}, "X-Litellm-Model-Name": {"openai/gpt-4o-mini"},
		"X-Litellm-Attempted-Fallbacks": {"0"}, "X-Litellm-Attempted-Retries": {"0"}, "Content-Type": {"application/json"}}
	g := &reading{name: "main", model: "judge", prices: prices, mask: newel.NewSecrets(nil, nil)}
	b.ReportAllocs()
	for b.Loop() {
		body := question(b, c)
		if _, err := body.wire(d, Tags{}); err != nil {
			b.Fatal(err)
		}
		r := &response{status: 200, header: header, body: []byte(answer)}
		r.decode()
		if reply := g.read(d, r); reply.Fault != nil {
			b.Fatal(reply.Fault)
		}
	}
}
