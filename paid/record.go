package paid

import (
	"encoding/json"
	"fmt"
	"time"

	"newel"
)

// record completes what is known of the call: last is its last attempt.
func (c *call) record(last Attempt) newel.Call {
	r := last.Call
	r.Key, r.Kind = c.q.Key, c.q.Kind
	r.Attempts, r.Tries = c.made, c.tries
	r.WaitedMS = milliseconds(c.sent.Sub(c.wanted))
	if r.ClientMS == 0 {
		r.ClientMS = milliseconds(c.took)
	}
	if r.Outcome == "" {
		r.Outcome = outcomeOf(last)
	}
	return r
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// outcomeOf names what became of an attempt, where its gateway did not.
func outcomeOf(got Attempt) string {
	switch f := got.Fault; {
	case got.Call.Outcome != "":
		return got.Call.Outcome
	case f == nil:
		return "ok"
	case f.Throttled:
		return "rate_limited"
	case f.Kind == newel.KindTimeout:
		return "timeout"
	}
	return "gateway_error"
}

// encode is how the journal keeps a call.
func encode(c newel.Call) ([]byte, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write down a call: %w", err)
	}
	return b, nil
}
