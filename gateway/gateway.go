package gateway

import (
	"net/http"
	"net/url"
	"time"

	"newel"
)

// Options make a Client.
type Options struct {
	Name    string // in the suite; part of the call key
	URL     string // with variables expanded; up to /v1, or up to the route itself
	Dialect string // empty or auto: recognised by what comes back
	Key     string // sent as the dialect wants it; empty: none
	Headers map[string]string
	// Secrets are masked in whatever is told about a call; Key is one of them.
	Secrets []string
	Proxy   func(*http.Request) (*url.URL, error)
	Roots   string  // PEM of certificate authorities to trust besides the system's
	Conns   int     // connections kept; 0: 64
	MaxBody int64   // bytes of a reply; 0: 16 MiB
	Prices  *Prices // nil: the built-in table
	Now     func() time.Time
	// Config travels in the header that a dialect has for it (Portkey).
	Config string
}

// Request is one chat call, in no dialect.
type Request struct {
	Model     string
	Messages  []Message
	MaxTokens int       // of the answer, reasoning included
	Schema    newel.Raw // of a structured answer; nil: free text
	Logprobs  int       // how many of the likeliest tokens to tell; 0: none
	Params    map[string]any
}

// Message is one turn. System texts come first.
type Message struct {
	Role  string // system, user, assistant
	Parts []Part
}

// Part is a text, or a file.
type Part struct {
	Text  string
	Media *Media
}

// Media is a picture, sound or document that goes along, as content or as a
// URL that the model's side fetches.
type Media struct {
	Type   string // MIME type
	URL    string
	Name   string // of a document
	SHA256 newel.Hash
	Data   func() ([]byte, error) // of a file of the plan
}

// Body is a request as a dialect writes it.
type Body struct {
	// Keyed is canonical JSON of the body, with the hash of each file in its
	// place: what the call key is made of.
	Keyed newel.Raw
	Model string
	Chars int // of all texts, for an estimate of tokens
	Max   int // most tokens of the answer
	media []*Media
	// places are where the files go, in order; names are its members.
	places []place
	names  []string
}

// Tags travel with a call, so that the gateway's own log can be grouped by
// them. They are no part of the call key.
type Tags struct {
	Suite, Rubric, Run, Runner, Case string
	Key                              newel.Hash // sent as correlation id
}

// Reply is what came of one call.
type Reply struct {
	Text    string
	Refused bool
	Finish  string  // stop, length, content_filter, tool_calls, …
	Tokens  []Token // of a call that asked for logprobs
	Call    newel.Call
	Fault   *Fault // nil: Text is the answer
}

// Token is one token of an answer with the likeliest ones in its place.
type Token struct {
	Text    string   `json:"text"`
	Logprob float64  `json:"logprob"`
	Top     []Likely `json:"top,omitempty"`
}

// Likely is a token that might have stood in a place.
type Likely struct {
	Text    string  `json:"text"`
	Logprob float64 `json:"logprob"`
}

// Fault says why a call brought no answer.
type Fault struct {
	Kind      newel.ErrorKind
	Message   string // without secrets
	Again     bool   // another attempt may help
	Throttled bool   // the far end asked for fewer calls at a time
	After     time.Duration
	MayCost   bool // it may have been billed
	// Never says that no call can work before somebody changes the suite or the
	// gateway: the key, the certificate, the address or the model's name is wrong.
	// Where a few calls in a row say so, and none works, a run may stop.
	Never bool
}
