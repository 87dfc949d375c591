package gateway

import (
	"net/http"

	"newel"
)

// dialect is how one gateway speaks. Functions that are nil do nothing. A new
// one is a file of its own and a line in dialects.
type dialect struct {
	name string
	// knows reports whether an answer comes from this gateway, by what only it
	// says.
	knows func(r *response) bool
	// ask adds what this gateway wants to be told with a call: tags, the call's id,
	// that its cache is not wanted. Nothing of it changes the reply.
	ask func(h http.Header, t Tags)
	// fields adds the same where it travels in the body.
	fields func(body map[string]any, t Tags)
	// read fills in what the gateway says of the call: ids, model used, provider,
	// fallback, guardrail, cache, attempts, latencies, and the cost it reports as
	// Cost.Gateway with its Source and Step. Usage is read already. It leaves alone
	// what it cannot tell; Cost.USD and Cost.Status are settled afterwards, in one
	// place for all dialects.
	read func(r *response, c *newel.Call)
	// refused classes a bad answer where status and error type alone would class
	// it wrongly; false: not for it to say.
	refused func(r *response, c *newel.Call) (Fault, bool)
	// traits are what its cost is known to leave out.
	traits traits
}

// traits say what is known about the numbers of a gateway.
type traits struct {
	// billed: the amount is the charge, not a computation.
	billed bool
	// fullPriceForCached: cached tokens are priced like others, so that the table
	// is believed where they differ.
	fullPriceForCached bool
	// hidesRetries: attempts that failed inside the gateway are in no count.
	hidesRetries bool
	// zeroOnErrors: the cost header says 0 on every error.
	zeroOnErrors bool
	// step is the smallest amount that the header tells; 0: exact.
	step newel.Money
}

// response is one answer as it came.
type response struct {
	status int
	header http.Header
	body   []byte
	// object is the body as a JSON object; nil where it is none. For a stream it
	// is what its chunks add up to.
	object map[string]any
	stream bool
}

// dialects lists all that are known, in the order in which auto asks them; the
// plain ones come last.
func dialects() []*dialect { return nil }
