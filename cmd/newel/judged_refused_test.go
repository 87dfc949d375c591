package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"newel/bench/upstream"
)

// What every call would meet with ends a run after a few of them, with a reason,
// and is gone on with once it is mended.
func TestAGatewayThatRefusesEverythingEndsTheRun(t *testing.T) {
	t.Parallel()
	const cases = 500
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect to another host was followed") }))
	t.Cleanup(elsewhere.Close)
	away := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/v1/chat/completions", http.StatusTemporaryRedirect))
	t.Cleanup(away.Close)
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	t.Cleanup(secret.Close)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	tests := []struct {
		name   string
		script upstream.Script
		url    string // empty: the script's
		says   []string
		most   int // requests: twice those that may be under way
	}{
		{"a wrong key", upstream.Script{Key: "another"}, "", []string{"401", "invalid api key", "GWKEY"}, 100},
		{"a key without rights", refusing(403, "no access to the model"), "", []string{"403", "no access to the model", "GWKEY"}, 100},
		{"a model that is not there", refusing(404, "the model does not exist"), "", []string{"404", "the model does not exist"}, 100},
		{"no credit", upstream.Script{Act: upstream.Always(upstream.Act{Status: 402, Message: "payment required"})}, "", []string{"402"}, 100},
		{"a certificate of nobody", upstream.Script{}, secret.URL + "/v1", []string{"certificate", "SSL_CERT_FILE"}, 0},
		{"a redirect to another host", upstream.Script{}, away.URL + "/v1", []string{"redirect refused", elsewhere.URL}, 0},
		{"TLS to a plain server", upstream.Script{}, strings.Replace(plain.URL, "http:", "https:", 1) + "/v1", []string{"HTTPS"}, 0},
		{"nobody there", upstream.Script{}, gone.URL + "/v1", []string{"connection refused"}, 0},
		{"a host that is not there", upstream.Script{}, "http://gateway.invalid/v1", []string{"gateway.invalid"}, 0},
		{"nothing but 400", refusing(400, "unknown parameter"), "", []string{"400", "unknown parameter"}, 100},
		{"nothing but 500", refusing(500, "out of order"), "", []string{"500", "out of order"}, 200},
		{"no answer ever", upstream.Script{Act: upstream.Always(upstream.Act{Hang: true})}, "", []string{"in time"}, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			timeout := "1m"
			if tt.name == "no answer ever" {
				timeout = "1s"
			}
			o := setting{cases: cases, judge: "  in_flight: 50\n  retries: 1\n  timeout: " + timeout + "\n", script: tt.script}
			b := newBench(t, o)
			env := b.env
			if tt.url != "" {
				env = []string{"GW=" + tt.url, "GWKEY=" + benchKey}
			}
			start := time.Now()
			got := b.with(t, env, nil, "run", b.suite, "--id=x", "-q")
			wantCode(t, got, exitIncomplete)
			for _, want := range append(tt.says, "in a row", "newel resume x") {
				if !strings.Contains(got.err, want) {
					t.Errorf("it does not say %q:\n%s", want, got.err)
				}
			}
			if c := b.up.Counts(); c.Requests > tt.most {
				t.Errorf("%d requests, at most %d", c.Requests, tt.most)
			}
			s := opened(t, b.dir)
			if tally := tallyOf(t, s, "x"); tally.Done != 0 {
				t.Errorf("rows were written: %+v", tally)
			}
			s.Close()
			t.Logf("%v, %d requests: %s", time.Since(start).Round(time.Millisecond), b.up.Counts().Requests, strings.SplitN(got.err, "\n", 2)[0])

			mended := upstream.Start(t, upstream.Script{Act: judgement})
			env = []string{"GW=" + mended.URL + "/v1", "GWKEY=" + benchKey}
			wantCode(t, b.with(t, env, nil, "resume", "x", "-q"), exitPassed)
			b.judgedAll(t, "x", cases)
			if c := mended.Counts(); c.Requests != cases {
				t.Errorf("%d requests once it was mended, want %d", c.Requests, cases)
			}
		})
	}
}

// refusing is an upstream that says one thing to all calls.
func refusing(status int, message string) upstream.Script {
	return upstream.Script{Act: upstream.Always(upstream.Act{Status: status, Message: message})}
}
