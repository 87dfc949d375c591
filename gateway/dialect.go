package gateway

import (
	"net/http"
	"net/url"
	"time"

	"newel"
)

// dialect is how one gateway speaks. Functions that are nil do nothing. A new
// one is a file of its own and a line in dialects.
type dialect struct {
	name string
	// knows reports whether an answer comes from this gateway, by what only it
	// says.
	knows func(r *response) bool
	// key adds the key to a request to an address; nil: as a bearer token, or on
	// the Messages wire as x-api-key.
	key func(h http.Header, key string, to *url.URL)
	// ask adds what this gateway wants to be told with a call: tags, the call's id,
	// that its cache is not wanted. Nothing of it changes the reply.
	ask func(h http.Header, t Tags)
	// fields adds the same where it travels in the body: it gets an empty map, and
	// what the suite's own params name already is left out of what it put there.
	fields func(body map[string]any, t Tags)
	// read fills in what the gateway says of the call: ids, model used, provider,
	// fallback, guardrail, cache, attempts, latencies, and the cost it reports as
	// Cost.Gateway with its Source and Step. Usage is read already, and so are the
	// body's model and the ids of the provider. It leaves alone what it cannot
	// tell; Cost.USD and Cost.Status are settled afterwards, in one place for all
	// dialects. It is called for errors too.
	read func(r *response, c *newel.Call)
	// refused classes a bad answer where status and error type alone would class
	// it wrongly; false: not for it to say. It sets c.Outcome and c.Guardrail; a
	// Message left empty is written for it.
	refused func(r *response, c *newel.Call) (Fault, bool)
	// config names the header in which Options.Config travels; empty: none.
	config string
	// lookup finds out later what a call cost; nil: this gateway cannot tell.
	lookup *lookup
	// traits are what its cost is known to leave out.
	traits traits
}

// lookup asks a gateway about a call that is over.
type lookup struct {
	// ask makes the request, given the gateway's address; nil: the call says too
	// little to ask. The key is for it to add.
	ask func(to *url.URL, key string, c *newel.Call) (*http.Request, error)
	// read takes what the answer says into the call, as dialect.read does, with
	// Cost.Source gateway_lookup; false: it is not there yet.
	read func(r *response, c *newel.Call) bool
	// auth names the header among Options.Headers whose value authorizes the
	// look-up, where the key is a provider's; empty: none.
	auth string
}

// traits say what is known about the numbers of a gateway.
type traits struct {
	// billed: the amount is the charge, not a computation.
	billed bool
	// fullPriceForCached: cached tokens are priced like others, so that the table
	// is believed where they differ.
	fullPriceForCached bool
	// once: nothing stands between that would try again.
	once bool
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
	// object is the body as a JSON object; nil where it is none. Numbers are
	// json.Number, and a logprobs value is a newel.Raw. For a stream it is what its
	// chunks add up to.
	object map[string]any
	stream bool
	// cut says that a stream ended before its end.
	cut bool
	// config is the Options.Config that was sent.
	config string
	// sent is the request; nil: not known.
	sent *http.Request
	// now is when it came, by the far end's clock where it tells one.
	now time.Time

	// What dialect.read may find out besides the call, for the settlement:

	// byok: the amount is only the gateway's fee; Cost.Upstream comes on top.
	byok bool
	// harmless: attempts that failed inside the gateway are known to have cost
	// nothing.
	harmless bool
	// extra: more than tokens was charged for, which the table does not know.
	extra bool
	// own: the gateway refused by itself, without asking anybody.
	own bool
}

// dialects lists all that are known, in the order in which auto asks them. One
// that passes the headers of those behind it through stands before them; the
// plain ones come last.
func dialects() []*dialect {
	return []*dialect{
		portkeyDialect(),
		litellmDialect(),
		agentccDialect(),
		bifrostDialect(),
		heliconeDialect(),
		cloudflareDialect(),
		kongDialect(),
		mlflowDialect(),
		envoyDialect(),
		nrouterDialect(),
		ngrokDialect(),
		tensorZeroDialect(),
		vercelDialect(),
		openRouterDialect(),
		agentGatewayDialect(),
		apimDialect(),
		anthropicDialect(),
		openaiDialect(),
	}
}

// dialectNamed returns a dialect by its name.
func dialectNamed(name string) (*dialect, bool) {
	for _, d := range dialects() {
		if d.name == name {
			return d, true
		}
	}
	return nil, false
}

// Dialects lists the names that Options.Dialect takes, besides auto.
func Dialects() []string {
	var names []string
	for _, d := range dialects() {
		names = append(names, d.name)
	}
	return names
}
