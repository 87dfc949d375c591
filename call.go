package newel

import (
	"slices"
	"time"
)

// Call is the normalised record of one call through a gateway, as a row shows
// it and the journal keeps it. What a gateway did not say is nil or "unknown",
// never 0: see Cost.
type Call struct {
	Key     Hash   `json:"call_key"`
	Kind    string `json:"kind"`              // judge, http or command
	Gateway string `json:"gateway"`           // its name in the suite
	Dialect string `json:"dialect"`           // whose manners were read: litellm, openai, …
	Version string `json:"version,omitempty"` // of the gateway, where it says so

	RequestID  string `json:"gateway_request_id,omitempty"`
	UpstreamID string `json:"upstream_request_id,omitempty"`
	TraceID    string `json:"trace_id,omitempty"`
	Generation string `json:"generation_id,omitempty"` // the id that a late look-up of the cost takes

	ModelAsked  string `json:"model_requested"`
	ModelUsed   string `json:"model_used,omitempty"` // empty: unknown
	ModelSource string `json:"model_source"`         // header, body, lookup, unknown
	Provider    string `json:"provider_used,omitempty"`
	Deployment  string `json:"deployment,omitempty"`

	Fallback       string   `json:"fallback"` // no, yes, unknown
	FallbackFrom   string   `json:"fallback_from,omitempty"`
	FallbackIndex  *int     `json:"fallback_index,omitempty"`
	Guardrail      string   `json:"guardrail"` // none, ran, flagged, blocked_input, blocked_output, upstream_filtered, unknown
	GuardrailNames []string `json:"guardrail_names,omitempty"`
	Cache          string   `json:"gateway_cache"` // hit_exact, hit_semantic, hit, miss, bypass, unknown

	// Attempts are those of newel itself; UpstreamAttempts those that the
	// gateway says it made for the last of them.
	Attempts         int       `json:"attempts"`
	Tries            []Attempt `json:"failed_attempts,omitempty"` // the attempts before the last
	UpstreamAttempts *int      `json:"upstream_attempts,omitempty"`
	AttemptsExact    bool      `json:"attempts_exact"`

	// Milliseconds. ClientMS is by newel's own clock, from the request to the last
	// byte, of the last attempt; WaitedMS what passed before it since the call was
	// first wanted: the queue for a slot, pauses, failed attempts.
	ClientMS      float64  `json:"latency_client_ms"`
	WaitedMS      float64  `json:"waited_ms"`
	GatewayMS     *float64 `json:"latency_gateway_ms,omitempty"`
	GatewayScope  string   `json:"latency_scope"` // total_incl_retries, last_attempt, to_headers, cached_original, unknown
	UpstreamMS    *float64 `json:"latency_upstream_ms,omitempty"`
	UpstreamScope string   `json:"upstream_scope"` // cumulative, last, unknown
	FirstTokenMS  *float64 `json:"ttft_ms,omitempty"`

	Usage Usage  `json:"usage"`
	Cost  Charge `json:"cost"`

	Status       int      `json:"http_status"`
	Outcome      string   `json:"outcome"` // ok, flagged, blocked, refused, truncated, budget, rate_limited, timeout, upstream_error, gateway_error, client_error, bad_output
	RetryAfterMS *int64   `json:"retry_after_ms,omitempty"`
	Limits       *Limits  `json:"ratelimit,omitempty"`
	Finish       string   `json:"finish_reason,omitempty"`
	Refusal      *bool    `json:"refusal,omitempty"`
	Tier         string   `json:"service_tier,omitempty"`
	Batch        bool     `json:"batch,omitempty"`
	Notes        []string `json:"notes,omitempty"` // such as cost_mismatch
	// Error is why a call brought no reply after all its attempts.
	Error *ScoreError `json:"error,omitempty"`
	// Final says that the run did not try again: whoever asked the same has the same
	// error.
	Final bool `json:"final,omitempty"`

	// Reused says, on a row, that the reply was in the journal already, and so cost
	// the row nothing.
	Reused *Reused `json:"reused,omitempty"`

	// Anew says, where a case is explained, why the row's run paid for the call
	// although an earlier one judged the same.
	Anew *Anew `json:"paid_anew,omitempty"`

	// Raw holds the headers and the parts of the body that money, model and
	// guardrail were read from, for a later reading. Only names on a list come in.
	Raw map[string]string `json:"raw,omitempty"`
}

// PartlyKnown reports whether the call has a cost that is a lower end: attempts
// before the last may have been billed as well, at most with Cost.Held where that
// is above 0, and without a known bound where it is not.
func (c *Call) PartlyKnown() bool {
	if !c.Cost.Exact() || c.Reused != nil {
		return false
	}
	return c.Cost.Held > 0 || slices.ContainsFunc(c.Tries, func(a Attempt) bool { return a.MayCost })
}

// Attempt is one that failed before the last.
type Attempt struct {
	Status   int     `json:"http_status"`
	Outcome  string  `json:"outcome"`
	ClientMS float64 `json:"latency_client_ms"`
	// MayCost says that it may have been billed though nobody told the amount.
	MayCost bool `json:"may_cost,omitempty"`
}

// Usage is what a call used, in tokens; nil is unknown. Totals include their
// parts.
type Usage struct {
	Input        *int64 `json:"input_total,omitempty"`
	Uncached     *int64 `json:"input_uncached,omitempty"`
	CacheRead    *int64 `json:"cache_read,omitempty"`
	CacheWrite5m *int64 `json:"cache_write_5m,omitempty"`
	CacheWrite1h *int64 `json:"cache_write_1h,omitempty"`
	AudioIn      *int64 `json:"audio_in,omitempty"`
	ImageIn      *int64 `json:"image_in,omitempty"`
	VideoIn      *int64 `json:"video_in,omitempty"`
	Output       *int64 `json:"output_total,omitempty"`
	Reasoning    *int64 `json:"reasoning,omitempty"`
	AudioOut     *int64 `json:"audio_out,omitempty"`
	Source       string `json:"source"`     // body, header, stream, none
	Convention   string `json:"convention"` // inclusive, exclusive, unknown
	Consistent   bool   `json:"consistent"`
}

// How the cost of a call is known. Only the first three are amounts that may be
// added up as they are.
const (
	CostBilled     = "billed"           // the gateway says it is the charge
	CostGateway    = "gateway_computed" // the gateway computed it from its own prices
	CostTable      = "table_computed"   // from usage and newel's price table
	CostZero       = "zero_confirmed"   // nothing was charged, and that is known
	CostLowerBound = "lower_bound"
	CostUpperBound = "upper_bound"
	CostUnknown    = "unknown"
)

// Charge is what one call cost. USD is nil where Status is unknown.
type Charge struct {
	USD      *Money `json:"usd"`
	Status   string `json:"status"`
	Source   string `json:"source,omitempty"`         // gateway_header, gateway_body, gateway_lookup, table, journal
	Step     *Money `json:"resolution,omitempty"`     // the gateway's smallest step
	Gateway  *Money `json:"gateway_usd,omitempty"`    // all three as far as they are known
	Table    *Money `json:"table_usd,omitempty"`      //
	Upstream *Money `json:"upstream_usd,omitempty"`   //
	Prices   string `json:"price_table,omitempty"`    // version of the table
	Excludes string `json:"excludes_failed_attempts"` // no, yes, unknown
	// Held is the most that attempts of unknown cost can have come to; it counts
	// against the budget and in no total.
	Held Money `json:"held,omitempty"`
}

// Exact reports whether the cost is an amount and not a bound.
func (c Charge) Exact() bool {
	switch c.Status {
	case CostBilled, CostGateway, CostTable, CostZero:
		return c.USD != nil
	}
	return false
}

// Limits are what a gateway says is left of a rate limit.
type Limits struct {
	Limit     *int64 `json:"limit,omitempty"`
	Remaining *int64 `json:"remaining,omitempty"`
	ResetMS   *int64 `json:"reset_ms,omitempty"`
}

// Reused says whose call brought a reply that is used again.
type Reused struct {
	Run  string    `json:"run"`  // that paid; the row's own where another row of it asked the same
	At   time.Time `json:"at"`   // when the reply came
	Cost Charge    `json:"cost"` // then
	// What the call took then, as in Call, whose own times are 0 or absent: a reply
	// that was there took no time.
	ClientMS     float64  `json:"latency_client_ms,omitempty"`
	WaitedMS     float64  `json:"waited_ms,omitempty"`
	GatewayMS    *float64 `json:"latency_gateway_ms,omitempty"`
	UpstreamMS   *float64 `json:"latency_upstream_ms,omitempty"`
	FirstTokenMS *float64 `json:"ttft_ms,omitempty"`
}

// Anew says why no reply of an earlier run served.
type Anew struct {
	Run string   `json:"run"` // the last earlier one that judged the same item by the same rubric
	Why []string `json:"why"`
}

// CallRef points from a score to a reply in the journal.
type CallRef struct {
	Key   Hash
	Reply Hash   // of the reply's bytes; zero where there was none
	Run   string // that paid; empty: the row's own
	Seq   int    // among the run's entries for the key; 0 decides
	// Recorded says that the reply came with the data: nobody was asked, and the
	// journal does not have it.
	Recorded bool
}

// Reused reports whether another run paid for the call.
func (c CallRef) Reused() bool { return c.Run != "" }

// Entry is one reply from outside as the journal keeps it: for each call key
// and run the first reply decides, later ones are surplus, and faults are kept
// for what they cost.
type Entry struct {
	Key   Hash
	Run   string // that paid
	Seq   int    // 0: the one that decides; the store numbers the others
	At    time.Time
	Fault bool   // there was no reply
	Good  bool   // the reply could be read: later runs may use it
	Reply []byte // opaque to a store; empty with Fault
	Call  []byte // a Call as JSON
	Cost  *Money // nil: unknown
	Held  Money  // counts against the budget besides Cost
}

// Intent announces a paid call before it is sent, with the most it can cost.
type Intent struct {
	ID    [16]byte // made by the caller, unique
	Key   Hash
	Worst Money
}

// Window is the time in which a reply of another run must have been committed
// to be used again, both ends included. The zero Window holds nothing.
type Window struct{ From, To time.Time }

// IsZero reports whether nothing is reused.
func (w Window) IsZero() bool { return w.To.IsZero() }

// Spending is a run's account.
type Spending struct {
	Budget   *Money // nil: none
	Spent    Money  // known costs
	Held     Money  // worst prices of attempts of unknown cost
	Reserved Money  // worst prices of open intents
	Open     int    // intents without a reply: under way, or lost with a process
	Calls    int    // entries with a reply
	Surplus  int    // of them, those that do not decide
	Faults   int    // entries without a reply
	Unknown  int    // entries of unknown cost
}
