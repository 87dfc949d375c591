package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

func TestFlagsBecomeAScript(t *testing.T) {
	t.Parallel()
	addr, got, err := settings([]string{"-addr", "127.0.0.1:0", "-delay", "500ms", "-capacity", "100:30s,20:10s,50", "-p429", "0.2", "-hang", "0.01",
		"-retry-after", "3s", "-usage", "1200,1024,300,128", "-price", "0.15,0.075,0.60", "-dialect", "litellm", "-header", "X-A: b"})
	if err != nil {
		t.Fatal(err)
	}
	got.Act = nil
	want := upstream.Script{
		Delay: 500 * time.Millisecond, Seed: 1, RetryAfter: 3 * time.Second, Dialect: "litellm", Header: http.Header{"X-A": {"b"}},
		Capacity: []upstream.Level{{InFlight: 100, For: 30 * time.Second}, {InFlight: 20, For: 10 * time.Second}, {InFlight: 50}},
		Shares:   []upstream.Share{{Part: 0.2, Act: upstream.Act{Status: 429, RetryAfter: 3 * time.Second}}, {Part: 0.01, Act: upstream.Act{Hang: true}}},
		Usage:    &upstream.Usage{In: 1200, Cached: 1024, Out: 300, Reasoning: 128},
		Price:    upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000},
	}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b func(*upstream.Call) upstream.Act) bool { return a == nil && b == nil })); d != "" || addr != "127.0.0.1:0" {
		t.Errorf("%s (-want +got):\n%s", addr, d)
	}
}

func TestWrongFlagsAreErrors(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-capacity", "x"}, {"-capacity", "1:x"}, {"-usage", "1,2"}, {"-price", "1,2,x"}, {"-header", "x"}} {
		if _, _, err := settings(args); err == nil {
			t.Errorf("%v: want an error", args)
		}
	}
}

func TestTheCommandServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-fail-every", "2"}, in)
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	lines.Scan()
	r, err := http.Post(lines.Text()+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"case-4"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil || !strings.Contains(string(body), `\"fail\"`) {
		t.Errorf("want a failing verdict, got %v %s", err, body)
	}
	stats, err := http.Get(lines.Text() + "/stats")
	if err != nil {
		t.Fatal(err)
	}
	told, _ := io.ReadAll(stats.Body)
	stats.Body.Close()
	stop()
	lines.Scan()
	if !strings.Contains(string(told), `"paid_answers":1`) || !strings.Contains(lines.Text(), `"paid_answers":1`) {
		t.Errorf("want one paid answer, got %s and %s", told, lines.Text())
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
