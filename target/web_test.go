package target

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// serve starts a server whose nth answer is the nth handler's, the last one's
// from then on; it counts.
func serve(t testing.TB, handlers ...http.HandlerFunc) (url string, count *atomic.Int64) {
	count = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(count.Add(1))
		handlers[min(n, len(handlers))-1](w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, count
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func hang(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

func breakOff(w http.ResponseWriter, _ *http.Request) {
	conn, buf, _ := w.(http.Hijacker).Hijack()
	buf.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
	buf.Flush()
	conn.Close()
}

func giant(w http.ResponseWriter, _ *http.Request) { io.Copy(w, io.LimitReader(zeros{}, MaxBody+1)) }

func TestRetries(t *testing.T) {
	t.Parallel()
	good := status(200, "fine")
	tests := []struct {
		name     string
		handlers []http.HandlerFunc
		timeout  string
		kind     newel.ErrorKind // empty: answered
		want     string
		attempts int64
		waits    []time.Duration
	}{
		{"a 429 is asked again when it says", []http.HandlerFunc{status(429, "slow down", "Retry-After", "7"), good}, "", "", `"fine"`, 2, []time.Duration{7 * time.Second}},
		{"a date says when too", []http.HandlerFunc{status(503, "", "Retry-After", "Fri, 02 Jan 2026 03:04:16 GMT"), good}, "", "", `"fine"`, 2, []time.Duration{11 * time.Second}},
		{"a wait too long is not waited for", []http.HandlerFunc{status(429, "", "Retry-After", "600")}, "", newel.KindTarget, "HTTP 429 (it wants to be left alone for 10m0s)", 1, nil},
		{"a 500 is asked again", []http.HandlerFunc{status(500, "oops"), good}, "", "", `"fine"`, 2, []time.Duration{250 * time.Millisecond}},
		{"a 500 that stays is an error", []http.HandlerFunc{status(500, "oops\n")}, "", newel.KindTarget, "HTTP 500: oops (after 3 attempts)", 3, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{"a 400 is not asked again", []http.HandlerFunc{status(400, "bad model")}, "", newel.KindTarget, "HTTP 400: bad model", 1, nil},
		{"no answer is a timeout", []http.HandlerFunc{hang}, "30ms", newel.KindTimeout, "no answer within 30ms (after 3 attempts)", 3, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{"a connection that breaks is asked again", []http.HandlerFunc{breakOff, good}, "", "", `"fine"`, 2, []time.Duration{250 * time.Millisecond}},
		{"a connection that always breaks is an error", []http.HandlerFunc{breakOff}, "", newel.KindTarget, "the response broke off", 3, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{"a giant is refused at once", []http.HandlerFunc{giant}, "", newel.KindTooLarge, "the response is larger than 16 MiB", 1, nil},
		{"what is no text is refused", []http.HandlerFunc{status(200, "\xff")}, "", newel.KindProtocol, "not UTF-8", 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, count := serve(t, tt.handlers...)
			w := newWorld(nil)
			timeout := tt.timeout
			if timeout == "" {
				timeout = "60s"
			}
			set := one(t, `{http: {url: "`+url+`", body: "{{ input }}"}, timeout: `+timeout+`}`, w.Env)
			got := ask(t, set, newCase(`"x"`))
			if tt.kind == "" {
				wantOutput(t, got, tt.want)
			} else {
				wantErr(t, got, tt.kind, tt.want)
			}
			if count.Load() != tt.attempts {
				t.Errorf("%d requests, want %d", count.Load(), tt.attempts)
			}
			if diff := cmp.Diff(tt.waits, w.waits); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
			if run := jsonOf(t, string(got.Run)).(map[string]any); run["attempts"] != float64(tt.attempts) {
				t.Errorf("run %s, want %d attempts", got.Run, tt.attempts)
			}
		})
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	for attempt := 1; attempt < 40; attempt++ {
		low, high := pause(attempt, 0, 0), pause(attempt, 0, 0.999)
		if low <= 0 || high <= low || high > maxPause {
			t.Errorf("attempt %d waits %v to %v", attempt, low, high)
		}
	}
	if d := pause(1, 10*time.Second, 0.5); d < 10*time.Second || d > 11*time.Second {
		t.Errorf("asked for 10s, waits %v", d)
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	t.Parallel()
	const key, password = `sk-"very secret"/+`, "pa ss"
	echo := func(w http.ResponseWriter, r *http.Request) {
		user, pass, _ := r.BasicAuth()
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "%v %s %s %s | %q | %s", r.Header, r.URL, user, pass, key, base64.StdEncoding.EncodeToString([]byte(key)))
	}
	url, _ := serve(t, echo)
	vars := map[string]string{
		"KEY": key,
		"URL": strings.Replace(url, "http://", "http://ann:pa%20ss@", 1),
		"BAD": "http://[::1",
	}
	tests := []struct{ name, suite, want string }{
		{"a service that repeats the request", `http: {url: "${URL}/a?{{ input }}", headers: {X-Key: "${KEY}"}}`, "HTTP 401: "},
		{"a service that repeats the key", `openai: {url: "` + url + `", model: m, key_env: KEY}`, "HTTP 401: "},
		{"an address that is none", `http: {url: "${BAD}", body: "{{ input }}", headers: {X-Key: "${KEY}"}}`, "url is not that of an HTTP service"},
		{"a variable that is not set", `http: {url: "${NONE}", body: "{{ input }}", headers: {X-Key: "${KEY}"}}`, "the environment variable NONE is not set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := one(t, tt.suite, newWorld(vars).Env)
			got := ask(t, set, newCase(`"q"`))
			wantErr(t, got, newel.KindTarget, tt.want)
			basic := base64.StdEncoding.EncodeToString([]byte("ann:" + password))
			for _, secret := range []string{key, "very secret", password, "pa%20ss", basic, base64.StdEncoding.EncodeToString([]byte(key)), "[::1"} {
				if strings.Contains(got.Err.Message, secret) {
					t.Errorf("%q is in %s", secret, got.Err.Message)
				}
			}
		})
	}
}

func TestNoHalfOfASecretIsShown(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("k", 300)
	url, _ := serve(t, status(400, strings.Repeat("x", maxShown-100)+" "+key))
	set := one(t, `http: {url: "`+url+`", body: "{{ input }}", headers: {Authorization: "${KEY}"}}`, newWorld(map[string]string{"KEY": key}).Env)
	got := ask(t, set, newCase(`"q"`))
	wantErr(t, got, newel.KindTarget, "${KEY}")
	if strings.Contains(got.Err.Message, "kkk") {
		t.Errorf("half a key is in %s", got.Err.Message)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var seen http.Header
	var body string
	other, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen, body = r.Header.Clone(), string(raw)
		io.WriteString(w, "moved")
	})
	to := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other+"/new", code) }
	}
	suite := func(url string) string {
		return `http: {url: "` + url + `?key=${KEY}", headers: {Authorization: "Bearer ${KEY}", X-Secret: "${KEY}"}, body: "{{ input }}"}`
	}
	env := newWorld(map[string]string{"KEY": "sk-1"}).Env

	kept, _ := serve(t, to(http.StatusTemporaryRedirect))
	wantOutput(t, ask(t, one(t, suite(kept), env), newCase(`"q"`)), `"moved"`)
	if all := fmt.Sprint(seen); strings.Contains(all, "sk-1") || body != "q" || seen.Get("Content-Type") == "" {
		t.Errorf("the other host got %v with body %q, want the body and no key", all, body)
	}

	turned, count := serve(t, to(http.StatusFound))
	wantErr(t, ask(t, one(t, suite(turned), env), newCase(`"q"`)), newel.KindTarget, "would turn it into GET")
	if count.Load() != 1 {
		t.Errorf("%d requests, want 1: a redirect is not asked again", count.Load())
	}

	same, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/new" {
			http.Redirect(w, r, "/new", http.StatusPermanentRedirect)
			return
		}
		io.WriteString(w, r.Header.Get("X-Secret"))
	})
	wantOutput(t, ask(t, one(t, suite(same), env), newCase(`"q"`)), `"sk-1"`)
}

func TestACertificateThatIsNotTrustedIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(status(200, "x"))
	s.Config.ErrorLog = quiet()
	s.StartTLS()
	t.Cleanup(s.Close)
	w := newWorld(nil)
	set := one(t, `http: {url: "`+s.URL+`", body: "{{ input }}"}`, w.Env)
	wantErr(t, ask(t, set, newCase(`"q"`)), newel.KindTarget, "certificate")
	if len(w.waits) != 0 {
		t.Errorf("waited %v", w.waits)
	}
}

// held is a kind that answers when it is let go.
type held struct {
	now  atomic.Int64
	pass chan struct{}
}

func (h *held) opening(*scope) ([]any, *fault) { return nil, nil }
func (h *held) cancelled()                     {}
func (h *held) close()                         {}

func (h *held) ask(context.Context, *scope) (*reply, *fault) {
	h.now.Add(1)
	defer h.now.Add(-1)
	<-h.pass
	return &reply{output: newel.Raw(`"x"`)}, nil
}

func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit, items = 3, 10
		h := &held{pass: make(chan struct{})}
		set := NewSet(&Target{kind: h, env: newWorld(nil).Env, secrets: newSecrets(nil, nil), timeout: time.Hour, slots: make(chan struct{}, limit)})
		var asks sync.WaitGroup
		for range items {
			asks.Go(func() { set.Ask(t.Context(), item(newCase(`"x"`))) })
		}
		for left := items; left > 0; left-- {
			synctest.Wait()
			if got, want := int(h.now.Load()), min(left, limit); got != want {
				t.Errorf("%d requests under way with %d items left, want %d", got, left, want)
			}
			h.pass <- struct{}{}
		}
		asks.Wait()
	})
}

func TestCancelBeginsNothingMoreAndFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	entered, pass := make(chan struct{}, 1), make(chan struct{})
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-pass
		io.WriteString(w, "answered")
	})
	w := newWorld(nil)
	set := one(t, `{http: {url: "`+url+`", body: "{{ input }}"}, concurrency: 1}`, w.Env)
	answers := make(chan newel.Fetched)
	for range 3 { // one is under way, two wait for its slot
		go func() { answers <- set.Ask(ctx, item(newCase(`"x"`))) }()
	}
	<-entered
	cancel(fmt.Errorf("the user said stop"))
	for range 2 {
		wantErr(t, <-answers, newel.KindTarget, "the user said stop")
	}
	close(pass)
	wantOutput(t, <-answers, `"answered"`)
	if len(w.waits) != 0 {
		t.Errorf("waited %v after the end", w.waits)
	}
}
