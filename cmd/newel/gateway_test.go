package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

// canary is the key of the tests: it stands in no output.
const canary = "sk-canary-8d21e7"

// probing runs gateway probe with the canary in KEY.
func probing(t testing.TB, code int, args ...string) call {
	t.Helper()
	return probingWith(t, nil, code, args...)
}

func probingWith(t testing.TB, env []string, code int, args ...string) call {
	t.Helper()
	args = append([]string{"gateway", "probe"}, args...)
	got := runApp(t, append(env, "KEY="+canary), args...)
	wantCode(t, got, code, args...)
	if strings.Contains(got.out+got.err, canary) {
		t.Errorf("%v: the key is told:\n%s%s", args, got.out, got.err)
	}
	return got
}

// liteLLM answers as that gateway does, with the second of two long prompts from
// the provider's cache, and takes no call without the canary.
func liteLLM(t testing.TB) *upstream.Server {
	var long atomic.Int64
	return upstream.Start(t, upstream.Script{
		Dialect: upstream.LiteLLM, Key: canary, Price: upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000}, Model: "gpt-4o-mini-2024-07-18",
		Header: http.Header{"X-Ratelimit-Limit-Requests": {"600"}, "X-Ratelimit-Remaining-Requests": {"599"}},
		Act: func(c *upstream.Call) upstream.Act {
			usage := &upstream.Usage{In: 30, Out: 6}
			switch {
			case strings.Contains(c.Model, "no-such-model"):
				return upstream.Act{Status: 400, Message: "Invalid model name for " + c.Header.Get("Authorization")}
			case len(c.Body) > 2000:
				usage.In = 1450
				usage.Cached = 1024 * min(1, long.Add(1)-1)
			}
			return upstream.Act{Usage: usage}
		},
	})
}

var unsteady = regexp.MustCompile(`\d+ ms|127\.0\.0\.1:\d+`)

func TestWhatAProbePrints(t *testing.T) {
	t.Parallel()
	s := liteLLM(t)
	table := write(t, t.TempDir(), "prices.json", `{"newel_prices": 1, "version": "ours", "models": {"gpt-4o-mini": {"provider": "openai", "input": "0.15", "output": "0.6", "cache_read": "0.075"}}}`)
	got := probingWith(t, []string{"COLUMNS=120"}, exitPassed, s.URL+"/v1", "--model=gpt-4o-mini", "--key-env=KEY", "--prices="+table)
	text := unsteady.ReplaceAllStringFunc(got.out, func(found string) string {
		if strings.HasSuffix(found, " ms") {
			return "N ms"
		}
		return "gateway:4000"
	})
	golden := filepath.Join("testdata", "probe.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" || got.err != "" {
		t.Errorf("the probe's output changed; read it and run with -update (-want +got):\n%s%s", diff, got.err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "gateways.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, want) {
		t.Error("docs/gateways.md shows another output than testdata/probe.golden")
	}
}

func TestAProbeAsJSON(t *testing.T) {
	t.Parallel()
	s := liteLLM(t)
	address := strings.Replace(s.URL, "://", "://user:pass-word-1@", 1)
	got := probingWith(t, []string{"GATEWAY=" + address}, exitPassed, "${GATEWAY}", "--model=gpt-4o-mini", "--header=Authorization: Bearer ${KEY}", "--json")
	var view struct {
		URL, Dialect string
		Facts        []struct{ Fact, Told, About string }
		Calls        []struct{ Call, Error string }
		Cost         struct {
			Unknown *int `json:"unknown_calls"`
		}
	}
	if err := json.Unmarshal([]byte(got.out), &view); err != nil {
		t.Fatalf("%v\n%s", err, got.out)
	}
	if view.URL != s.URL+"/v1/chat/completions" || view.Dialect != "litellm" || len(view.Facts) != 16 || len(view.Calls) != 6 || view.Cost.Unknown == nil {
		t.Errorf("%+v", view)
	}
	if view.Calls[3].Error == "" || strings.Contains(got.out, "pass-word-1") {
		t.Error(got.out)
	}
}

func TestAProbeIsRefusedBeforeItCosts(t *testing.T) {
	t.Parallel()
	s := liteLLM(t)
	dir := t.TempDir()
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"no model", "it is your money", []string{s.URL}},
		{"no URL", "probe takes one URL", []string{"--model=m"}},
		{"another dialect", `--dialect "litelm" (did you mean "litellm"?)`, []string{s.URL, "--model=m", "--dialect=litelm"}},
		{"a variable that is not set", "the variable MISSING_KEY is not set", []string{s.URL, "--model=m", "--key-env=MISSING_KEY"}},
		{"a URL variable that is not set", "the variable NOWHERE is not set", []string{"${NOWHERE}", "--model=m"}},
		{"a header's variable that is not set", "the variable NONE is not set", []string{s.URL, "--model=m", "--header=X-Key: ${NONE}"}},
		{"a key in place of a variable's name", "not repeated here", []string{s.URL, "--model=m", "--key-env=" + canary}},
		{"a key in a header", "put it into a variable and write 'Authorization: ${VAR}'", []string{s.URL, "--model=m", "--header=Authorization: Bearer " + canary}},
		{"a key in a header of another name", "put it into a variable", []string{s.URL, "--model=m", "--header=X-Mine: " + canary}},
		{"a header without a name", "not repeated here", []string{s.URL, "--model=m", "--header=" + canary}},
		{"a header of newel's own", "newel sets it itself", []string{s.URL, "--model=m", "--header=Content-Type: text/plain"}},
		{"a password in the URL", "write '${NEWEL_GATEWAY}'", []string{"http://user:" + canary + "@127.0.0.1:1/v1", "--model=m"}},
		{"a key in the URL's query", "put the whole of it into a variable", []string{"http://127.0.0.1:1/v1?api-key=" + canary, "--model=m"}},
		{"no URL of http", "not one of http or https", []string{"localhost:4000/" + canary, "--model=m"}},
		{"too dear", "raise --max-usd", []string{s.URL, "--model=gpt-4o-mini", "--max-usd=0.0001"}},
		{"a bound without a price", "--max-usd cannot hold", []string{s.URL, "--model=nobody-prices-this", "--max-usd=1"}},
		{"a bound of nothing", "--max-usd 0: it is more than 0", []string{s.URL, "--model=m", "--max-usd=0"}},
		{"a bound that is no amount", "not an amount in dollars", []string{s.URL, "--model=m", "--max-usd=much"}},
		{"no time", "--timeout 0s", []string{s.URL, "--model=m", "--timeout=0"}},
		{"a table that is not there", "--prices", []string{s.URL, "--model=m", "--prices=" + filepath.Join(dir, "none.json")}},
		{"a table that is none", "--prices", []string{s.URL, "--model=m", "--prices=" + write(t, dir, "table.json", "[]")}},
		{"authorities that are none", "no PEM certificate", []string{s.URL, "--model=m", "--ca=" + write(t, dir, "ca.pem", "x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := probing(t, exitUsage, tt.args...)
			holds(t, got.err, tt.want)
			if got.out != "" {
				t.Errorf("it prints %s", got.out)
			}
		})
	}
	t.Cleanup(func() {
		if n := s.Counts().Requests; n != 0 {
			t.Errorf("%d calls were made", n)
		}
	})
}

func TestAProbeThatGetsNoAnswer(t *testing.T) {
	t.Parallel()
	serve := func(t *testing.T, h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	for _, tt := range []struct {
		name   string
		url    func(t *testing.T) string
		args   []string
		want   []string
		prints bool // what was learned from the errors
	}{
		{"nobody listens", func(*testing.T) string { return "http://127.0.0.1:1" }, nil, []string{"connection refused", "check the URL", "--ca FILE"}, false},
		{"its certificate is not trusted", func(t *testing.T) string {
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			t.Cleanup(server.Close)
			return server.URL
		}, nil, []string{"certificate", "--ca FILE"}, false},
		{"it sends on to another host", func(t *testing.T) string {
			other := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				t.Errorf("the call went on to another host, with key %q", r.Header.Get("Authorization"))
			})
			return serve(t, func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, other+"/v1/chat/completions", http.StatusTemporaryRedirect)
			})
		}, nil, []string{"redirect refused", "if that is right, write it as the url"}, false},
		{"it answers 20 MB", func(t *testing.T) string {
			return serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 20<<20)) })
		}, nil, []string{"larger than 16777216 bytes", "it goes up to /v1"}, false},
		{"it hangs", func(t *testing.T) string {
			return upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Hang: true})}).URL
		},
			[]string{"--timeout=50ms"}, []string{"no answer from 127.0.0.1", "in time", "raise --timeout (50ms)"}, false},
		{"it wants another key", func(t *testing.T) string { return upstream.Start(t, upstream.Script{Key: "other"}).URL },
			nil, []string{"HTTP 401", "invalid api key", "check the key"}, true},
		{"it only knows errors", func(t *testing.T) string {
			return upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Status: 500, Message: "lost " + canary})}).URL
		}, nil, []string{"all 6 calls failed", "lost ${KEY}", "look for the call in the gateway's log"}, true},
		{"it answers with a page", func(t *testing.T) string {
			return serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<h1>\x1b[31mwelcome</h1>")) })
		}, nil, []string{"no JSON object", `\x1b[31mwelcome`, "it goes up to /v1"}, true},
		{"it asks to wait", func(t *testing.T) string {
			return upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Status: 429, RetryAfter: 2e9})}).URL
		}, nil, []string{"HTTP 429", "wait, and try again"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := probing(t, exitIncomplete, append(tt.args, tt.url(t), "--model=gpt-4o-mini", "--key-env=KEY")...)
			holds(t, got.err, tt.want...)
			if strings.Contains(got.out+got.err, "\x1b") || (got.out != "") != tt.prints {
				t.Errorf("it prints %q", got.out)
			}
			if tt.prints {
				holds(t, got.out, "dialect", "untested", "plain")
			}
		})
	}
}

func TestAProbeTrustsAnAuthorityThatIsNamed(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"model":"m","choices":[{"message":{"content":"pass"},"finish_reason":"stop"}]}`))
	}))
	defer server.Close()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	got := probing(t, exitPassed, server.URL, "--model=m", "--ca="+write(t, t.TempDir(), "ca.pem", string(text)))
	holds(t, got.out, "What this probe cost is unknown: no gateway and no price told it of any of its 6 calls; there is no price to bound it by.")
}

func TestGatewayWithoutACommandIsHelp(t *testing.T) {
	t.Parallel()
	got := runApp(t, nil, "gateway")
	wantCode(t, got, exitPassed)
	holds(t, got.out, "newel gateway COMMAND", "probe")
	got = runApp(t, nil, "gateway", "prob")
	wantCode(t, got, exitUsage)
	holds(t, got.err, `there is no command "prob"`, `"probe"`, "newel gateway --help")
}

func TestLinesOfAProbeFit(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	line(&b, "  fact  ", "one two \u202ethree\nfour", 20)
	line(&b, "  fact  ", "averylongwordthatfitsnowhere and", 20)
	line(&b, "  fact  ", "", 20)
	want := "  fact  one two\n        \\u202ethree\\nfour\n  fact  averylongwordthatfitsnowhere\n        and\n  fact  \n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
