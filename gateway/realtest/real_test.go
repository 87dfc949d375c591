package realtest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/bench/upstream"
	"newel/gateway"
	"newel/gateway/realtest"
)

// patience is for one call, its retries within the gateway included.
const patience = 2 * time.Minute

// used is what each scripted answer says that it used. On a gpt-4o-mini it
// costs 283.2 millionths of a dollar, on a gpt-4o 4720.
var used = &upstream.Usage{In: 1200, Cached: 1024, Out: 300, Reasoning: 128}

const (
	mini = "gpt-4o-mini"
	big  = "gpt-4o"
)

// record is what a call's record should say, with what its upstream counted.
type record struct {
	Outcome   string
	Status    int
	Text      string
	Model     string // that answered
	Source    string // of the model
	Fallback  string
	Guardrail string
	Names     []string // of guardrails
	Cache     string
	Attempts  string // of the gateway: "3", "at least 2", unknown
	Cost      string // in dollars, or unknown
	CostIs    string
	Usage     string
	Fault     fault
	Asked     int // requests that the upstream saw
	Paid      int // answers that it billed
	Before    int // those of them that were of calls before the last
}

type fault struct {
	Kind             newel.ErrorKind
	Again, Throttled bool
	After            time.Duration
	MayCost          bool
}

// recordOf gathers the facts of a reply.
func recordOf(r gateway.Reply, n upstream.Counts) record {
	c := r.Call
	got := record{
		Outcome: c.Outcome, Status: c.Status, Text: r.Text, Model: c.ModelUsed, Source: c.ModelSource,
		Fallback: c.Fallback, Guardrail: c.Guardrail, Names: c.GuardrailNames, Cache: c.Cache,
		Attempts: attempts(c), Cost: money(c.Cost.USD), CostIs: c.Cost.Status, Usage: tokens(c.Usage), Asked: n.Requests, Paid: n.Paid,
	}
	if f := r.Fault; f != nil {
		got.Fault = fault{f.Kind, f.Again, f.Throttled, f.After, f.MayCost}
	}
	return got
}

func attempts(c newel.Call) string {
	switch {
	case c.UpstreamAttempts == nil:
		return "unknown"
	case c.AttemptsExact:
		return fmt.Sprint(*c.UpstreamAttempts)
	}
	return fmt.Sprint("at least ", *c.UpstreamAttempts)
}

func money(m *newel.Money) string {
	if m == nil {
		return "unknown"
	}
	return m.String()
}

func tokens(u newel.Usage) string {
	if u.Source == "none" {
		return "none"
	}
	show := func(n *int64) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	return fmt.Sprintf("%s in, %s cached, %s out, %s reasoning", show(u.Input), show(u.CacheRead), show(u.Output), show(u.Reasoning))
}

const allTokens = "1200 in, 1024 cached, 300 out, 128 reasoning"

// ask sends a question so many times and returns the last reply. What must
// hold of every call is looked at here.
func ask(t *testing.T, o gateway.Options, r gateway.Request, times int) gateway.Reply {
	t.Helper()
	client, err := gateway.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	b, err := client.Body(r)
	if err != nil {
		t.Fatal(err)
	}
	var reply gateway.Reply
	for range max(1, times) {
		ctx, stop := context.WithTimeout(t.Context(), patience)
		reply = client.Send(ctx, b, gateway.Tags{Suite: "s", Rubric: "r", Run: "run", Case: t.Name(), Key: keyOf(t)})
		stop()
	}
	c := reply.Call
	if c.ClientMS <= 0 || c.ModelAsked != r.Model {
		t.Errorf("want the client's time and the model asked for, got %v ms, %q", c.ClientMS, c.ModelAsked)
	}
	if c.GatewayMS != nil && *c.GatewayMS > c.ClientMS+1 {
		t.Errorf("the gateway says %v ms of a call that took %v", *c.GatewayMS, c.ClientMS)
	}
	if (reply.Fault == nil) != slices.Contains([]string{"ok", "flagged", "truncated"}, c.Outcome) {
		t.Errorf("outcome %s with fault %+v", c.Outcome, reply.Fault)
	}
	return reply
}

func keyOf(t *testing.T) newel.Hash { return newel.HashOf([]byte(t.Name())) }

// question is a request of one message.
func question(model, text string) gateway.Request {
	return gateway.Request{Model: model, MaxTokens: 50, Messages: []gateway.Message{{Role: "user", Parts: []gateway.Part{{Text: text}}}}}
}

func compare(t *testing.T, want record, got record, reply gateway.Reply) {
	t.Helper()
	got.Before = want.Before
	if got.CostIs == newel.CostZero && got.Cache != "hit" && got.Paid > got.Before {
		t.Errorf("the record says that nothing was paid, the upstream billed %d answers", got.Paid)
	}
	if got.Fault.MayCost && got.Cost != "unknown" {
		t.Errorf("it may have been billed, and costs %s", got.Cost)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if t.Failed() {
		t.Logf("call: %+v\nfault: %+v", reply.Call, reply.Fault)
	}
}

// Scripts that several scenarios use.
func answering() upstream.Script { return upstream.Script{Usage: used, Key: realtest.Secret} }

func inTurn(acts ...upstream.Act) upstream.Script {
	return upstream.Script{Usage: used, Key: realtest.Secret, Act: upstream.InTurn(acts...)}
}

func failing(a upstream.Act) upstream.Script {
	return upstream.Script{Usage: used, Key: realtest.Secret, Act: upstream.Always(a)}
}

func recovering(times int, a upstream.Act) upstream.Script {
	acts := make([]upstream.Act, times+1)
	for i := range times {
		acts[i] = a
	}
	return inTurn(acts...)
}
