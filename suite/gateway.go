package suite

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"newel"
	"newel/gateway"
)

// Gateway is where a judge's model is reached, as it is written: variables are
// not expanded.
type Gateway struct {
	Name     string // empty: URL
	URL      string
	Dialect  string // empty: auto
	KeyEnv   string // the variable that holds the key
	Headers  map[string]string
	Config   string          // sent in the header that the dialect has for it
	Prices   *gateway.Prices // nil: the built-in table
	Recorded string          // a file of replies, in place of calls
	Pos      newel.Pos
}

// Called is the gateway's name in call keys.
func (g *Gateway) Called() string {
	switch {
	case g == nil:
		return ""
	case g.Name != "":
		return g.Name
	}
	return g.URL
}

// Messages reports whether calls travel in the form of the Messages API. It
// hangs on what is written, not on a variable's value: the same suite asks the
// same everywhere.
func (g *Gateway) Messages() bool { return g.Dialect == "anthropic" || gateway.IsMessages(g.URL) }

// prices reads a table of prices in newel's form or LiteLLM's.
func (d *decoder) prices(n *newel.Node) *gateway.Prices {
	if n == nil {
		return nil
	}
	name := d.text(n, "gateway: prices")
	if name == "" {
		return nil
	}
	text, err := d.files.ReadApart(name)
	if err != nil {
		d.wrong(n.Pos, "gateway: prices: %v", err)
		return nil
	}
	p, err := gateway.ReadPrices(text)
	if err != nil {
		d.wrong(n.Pos, "gateway: prices: %s: %v", name, err)
	}
	return p
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// variables lists the environment variables that a gateway needs.
func (g *Gateway) variables() []string {
	var out []string
	for _, text := range append([]string{g.URL, g.Config}, slices.Collect(maps.Values(g.Headers))...) {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
	}
	if g.KeyEnv != "" {
		out = append(out, g.KeyEnv)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Client connects to the gateway with the values of its variables. Without
// lookup it can write calls and send none.
func (g *Gateway) Client(lookup func(string) (string, bool), o gateway.Options) (*gateway.Client, error) {
	o.Name, o.Dialect, o.Prices = g.Called(), g.Dialect, g.Prices
	if o.Dialect == "auto" {
		o.Dialect = ""
	}
	if g.Messages() {
		o.Dialect = "anthropic"
	}
	if lookup == nil {
		o.URL = "http://replay.invalid/v1"
		return gateway.New(o)
	}
	var m newel.Mistakes
	fill := func(text string) string { return g.fill(text, lookup, &o.Secrets, &m) }
	o.URL, o.Config, o.Headers = fill(g.URL), fill(g.Config), map[string]string{}
	for name, v := range g.Headers {
		o.Headers[name] = fill(v)
	}
	if g.KeyEnv != "" {
		o.Key = fill("${" + g.KeyEnv + "}")
	}
	if err := m.Err(); err != nil {
		return nil, err
	}
	if gateway.IsMessages(o.URL) != g.Messages() {
		m.Add(g.Pos, "gateway: the url's value is one of the Messages API, which its text does not show: write dialect: anthropic")
		return nil, m.Err()
	}
	c, err := gateway.New(o)
	if err != nil {
		m.Add(g.Pos, "gateway: %v", err)
		return nil, m.Err()
	}
	return c, nil
}

// fill puts the values of variables into a text. A url alone is no secret.
func (g *Gateway) fill(text string, lookup func(string) (string, bool), secrets *[]string, m *newel.Mistakes) string {
	return variable.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(match, "${"), "}")
		value, ok := lookup(name)
		switch {
		case !ok || value == "":
			m.Add(g.Pos, "gateway: the variable %s is not set", name)
		case strings.ContainsAny(value, "\r\n\x00"):
			m.Add(g.Pos, "gateway: the variable %s holds a line end: neither a key nor a url has one", name)
		}
		if text != g.URL {
			*secrets = append(*secrets, value)
		}
		return value
	})
}

// gateways notes what the suite's gateways need of the environment, and two of
// one name that differ: the name is what tells their replies apart.
func (s *Suite) gateways(d *decoder) {
	first := map[string]*Gateway{}
	for _, r := range s.Rubrics {
		g := r.gateway()
		if g == nil {
			continue
		}
		old, ok := first[g.Called()]
		if !ok {
			first[g.Called()] = g
			s.Variables = append(s.Variables, g.variables()...)
			continue
		}
		if !old.same(g) {
			d.wrong(g.Pos, "rubric %q: gateway %q is another than the one on line %d: give it another name", r.Name, g.Called(), old.Pos.Line)
		}
	}
	slices.Sort(s.Variables)
	s.Variables = slices.Compact(s.Variables)
}

// gateway is where the rubric's judge asks; nil where it asks nobody.
func (r *Rubric) gateway() *Gateway {
	if r.Judge == nil || r.Judge.Def.Recording != nil || !r.Judge.Def.Replies.IsZero() {
		return nil
	}
	return r.Judge.Gateway
}

// Gateways returns the gateways that judges of the rubrics that take part ask,
// by the names that stand in call keys.
func (s *Suite) Gateways(only []string) map[string]*Gateway {
	out := map[string]*Gateway{}
	for _, r := range s.Rubrics {
		if g := r.gateway(); g != nil && takesPart(r, only) {
			out[g.Called()] = g
		}
	}
	return out
}

func (g *Gateway) same(o *Gateway) bool {
	return g.URL == o.URL && g.Dialect == o.Dialect && g.KeyEnv == o.KeyEnv && g.Config == o.Config && maps.Equal(g.Headers, o.Headers)
}

// Unpriced lists models of the rubrics that take part that have no price: under
// a budget nobody could say what a call of theirs costs at most.
func (s *Suite) Unpriced(only []string, priced func(gateway, model string) bool) error {
	var m newel.Mistakes
	for _, r := range s.Rubrics {
		g := r.gateway()
		if s.Budget == 0 || g == nil || !takesPart(r, only) {
			continue
		}
		for _, model := range r.Judge.Def.Models {
			if model.Const != "" && !priced(g.Called(), model.Const) {
				m.Add(g.Pos, "rubric %q: there is no price for model %q, so no budget can hold it: write it into a table and name that in gateway: {prices: FILE}, or leave out budget", r.Name, model.Const)
			}
		}
	}
	return m.Err()
}

// InFlight is how many calls of judges may be under way at once; 0: nobody
// wrote it.
func (s *Suite) InFlight(only []string) int {
	n := 0
	for _, r := range s.Rubrics {
		if takesPart(r, only) && r.gateway() != nil {
			n = max(n, r.Judge.InFlight)
		}
	}
	return n
}

// Rate is how much judges may ask a minute; 0: nobody wrote it.
func (s *Suite) Rate(only []string) Rate {
	var out Rate
	for _, r := range s.Rubrics {
		if takesPart(r, only) && r.gateway() != nil {
			out.Requests, out.Tokens = max(out.Requests, r.Judge.Rate.Requests), max(out.Tokens, r.Judge.Rate.Tokens)
		}
	}
	return out
}

// Pays reports whether a judge of the rubrics that take part asks a gateway.
func (s *Suite) Pays(only []string) bool { return len(s.Gateways(only)) > 0 }

// Audit is the share of what settles below the rubric's judge that it sees all
// the same; below 0: the plan fixes it.
func (r *Rubric) Audit() float64 {
	if r.Judge == nil || !r.Judge.Audited {
		return -1
	}
	return r.Judge.Audit
}
