package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"newel"
)

// Judged is a made-up suite whose items all reach a judge: keys, replies and
// calls like those that people's runs have.
type Judged struct {
	keys    []newel.Hash
	replies [][]byte
	calls   [][]byte
}

// NewJudged makes n calls.
func NewJudged(n int) *Judged {
	j := &Judged{}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		key := keyOf(i)
		var text []byte
		for len(text) < 400 {
			text = fmt.Appendf(text, "%s ", words[r.IntN(len(words))])
		}
		j.keys = append(j.keys, key)
		j.replies = append(j.replies, fmt.Appendf(nil,
			`{"text":"{\"reason\":\"%s\",\"score\":%d}","refused":false,"finish":"stop","tokens":%d}`, text, r.IntN(10), r.IntN(500)))
		j.calls = append(j.calls, fmt.Appendf(nil, `{"call_key":"%s","kind":"judge","gateway":"main","dialect":"litellm","version":"1.74.0",`+
			`"gateway_request_id":"%016x-%016x","upstream_request_id":"req_%016x","model_requested":"judge-large","model_used":"judge-large-2030-05-01",`+
			`"model_source":"header","provider_used":"example","fallback":"no","guardrail":"none","gateway_cache":"miss","attempts":1,"attempts_exact":true,`+
			`"latency_client_ms":%.3f,"waited_ms":%.3f,"latency_gateway_ms":%.3f,"latency_scope":"total_incl_retries","upstream_scope":"unknown",`+
			`"usage":{"input_total":%d,"output_total":%d,"source":"body","convention":"inclusive","consistent":true},`+
			`"cost":{"usd":%.9f,"status":"gateway_computed","source":"gateway_header","excludes_failed_attempts":"unknown"},`+
			`"http_status":200,"outcome":"ok","finish_reason":"stop","raw":{"x-litellm-response-cost":"%.9f","x-litellm-model-id":"%016x"}}`,
			key, r.Uint64(), r.Uint64(), r.Uint64(), 1000*r.Float64(), 1000*r.Float64(), 1000*r.Float64(), r.IntN(3000), r.IntN(500),
			r.Float64(), r.Float64(), r.Uint64()))
	}
	return j
}

// Pay does with a store what a run of the suite does: it looks calls up and
// reserves them by the batch, and settles each as its reply arrives, so many
// of them being in flight. A reply takes as long as wait.
func (j *Judged) Pay(t testing.TB, s newel.Store, run string, batch, inFlight int, wait time.Duration) {
	t.Helper()
	ok(t, s.CreateRun(ctx, plain(run)))
	ok(t, s.SetBudget(ctx, run, usd(1000*newel.Dollar)))
	todo := make(chan int, inFlight)
	go func() {
		defer close(todo)
		for first := 0; first < len(j.keys); first += batch {
			j.announce(t, s, run, first, min(first+batch, len(j.keys)), todo)
		}
	}()
	race(inFlight, func(int) {
		for i := range todo {
			if wait > 0 {
				time.Sleep(wait)
			}
			cost := newel.Dollar / 1000
			e := newel.Entry{Key: j.keys[i], Run: run, Good: true, Cost: &cost, Reply: j.replies[i], Call: j.calls[i]}
			if _, err := s.Settle(ctx, e, idsOf(intent(i, 0))); err != nil {
				t.Error(err)
			}
		}
	})
}

func (j *Judged) announce(t testing.TB, s newel.Store, run string, first, end int, todo chan<- int) {
	window := newel.Window{To: instant()}
	if found, err := s.Replies(ctx, run, j.keys[first:end], window); err != nil || len(found) > 0 {
		t.Errorf("%d replies, %v", len(found), err)
	}
	var intents []newel.Intent
	for i := first; i < end; i++ {
		in := intent(i, newel.Dollar/500)
		in.Key = j.keys[i]
		intents = append(intents, in)
	}
	if n, err := s.Reserve(ctx, run, intents); err != nil || n != end-first {
		t.Errorf("took %d, %v", n, err)
	}
	for i := first; i < end; i++ {
		todo <- i
	}
}

// LookUp looks all calls up by the batch, for a run that paid or for another.
func (j *Judged) LookUp(t testing.TB, s newel.Store, run string, batch, want int, window newel.Window) {
	t.Helper()
	found := 0
	for first := 0; first < len(j.keys); first += batch {
		found += len(must(s.Replies(ctx, run, j.keys[first:min(first+batch, len(j.keys))], window))(t))
	}
	same(t, "replies", want, found)
}
