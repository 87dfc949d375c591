// Package upstream is a model provider that does what a script says: an
// upstream for tests, for fault runs and for measuring speed. It speaks OpenAI's
// chat completions and Anthropic's messages, and can wear the cost headers of a
// gateway. It counts what it was asked and what it would have billed.
//
// What it answers depends on the script, the request and how often that request
// came, never on the order of arrival. It listens on loopback only, and knows
// nothing of who asks: clients, retries and budgets are theirs.
package upstream

import (
	"net/http"
	"time"
)

// Pass is the text of an answer when a script says no other.
const Pass = `{"verdict":"pass"}`

// Script says how an upstream answers. The zero Script answers each call at
// once with Pass.
type Script struct {
	// Act says what comes of a call; nil: an answer of Pass. It is called from many
	// goroutines.
	Act func(*Call) Act
	// Shares are drawn first, one draw for each time that a call comes; what no
	// share takes goes to Act.
	Shares []Share
	Seed   uint64 // of the draws and of Spread

	Delay  time.Duration // before each answer; refusals come at once
	Spread time.Duration // a drawn part of it is added to Delay

	// Capacity is how many calls are let in at a time, one level after another;
	// empty: any number. A call beyond it is refused with 429.
	Capacity   []Level
	RetryAfter time.Duration // told with those refusals, in whole seconds; 0: not told

	Usage   *Usage // of each answer; nil: a token for four bytes
	Price   Price  // what a dialect computes its cost from; the zero Price is none
	Model   string // that answers; empty: the one asked for, with a date
	Dialect string // whose headers are worn: Plain, LiteLLM or AgentCC
	Header  http.Header
	Key     string // that calls must bring; empty: none
	Keep    int    // requests kept for Seen; 0: none
}

// Call is one request as it came. It may be used until Act returns.
type Call struct {
	Messages bool   // Anthropic's route
	Model    string // asked for
	Marker   string // the first "case-" with what follows it up to a space, quote or the like
	ID       string // correlation id of the caller, or the hash of the body
	Nth      int    // how often this ID has come, from 1
	N        int    // number of arrival, from 1
	Path     string
	Header   http.Header
	Body     []byte

	asked asked
}

// Act is what comes of one call. The zero Act is an answer of Pass.
type Act struct {
	Text    string
	Refusal string  // in place of a text
	Finish  string  // as OpenAI says it; empty: stop
	Tokens  []Token // for who asks for logprobs; nil: the text as one token
	Usage   *Usage  // nil: the script's
	NoUsage bool    // the answer tells none
	Delay   time.Duration

	Status     int           // 400 and above refuse; 0: 200
	RetryAfter time.Duration // told with a refusal, in whole seconds
	Message    string        // of a refusal

	Body string // sent as it stands in place of an answer
	Hang bool   // no answer until the caller goes away
	Cut  bool   // the connection ends in the middle of the answer
}

// Share is a part of all calls, between 0 and 1, with what comes of them.
type Share struct {
	Part float64
	Act  Act
}

// Level is a number of calls that may be under way, and for how long.
type Level struct {
	InFlight int
	For      time.Duration // from the first call or the level before; 0: from then on
}

// Token is one token of an answer, with the likeliest ones in its place.
type Token struct {
	Text    string
	Logprob float64
	Top     []Token
}

// Always returns the same for every call.
func Always(a Act) func(*Call) Act { return func(*Call) Act { return a } }

// Says answers every call with a text.
func Says(text string) func(*Call) Act { return Always(Act{Text: text}) }

// Echo answers with the last message.
func Echo(c *Call) Act { return Act{Text: c.Last()} }

// InTurn returns what is listed for the first, second, … time that a call
// comes, and the last of it ever after.
func InTurn(acts ...Act) func(*Call) Act {
	return func(c *Call) Act { return acts[min(c.Nth, len(acts))-1] }
}

// FailEvery answers pass, but fail to each case whose marker ends in a multiple
// of n.
func FailEvery(n int, pass, fail string) func(*Call) Act {
	return func(c *Call) Act {
		if k, ok := number(c.Marker); ok && n > 0 && k%n == 0 {
			return Act{Text: fail}
		}
		return Act{Text: pass}
	}
}

// number is what a marker ends in.
func number(marker string) (k int, ok bool) {
	start := len(marker)
	for start > 0 && marker[start-1] >= '0' && marker[start-1] <= '9' {
		start--
	}
	if start == len(marker) || len(marker)-start > 15 {
		return 0, false
	}
	for _, d := range marker[start:] {
		k = k*10 + int(d-'0')
	}
	return k, true
}
