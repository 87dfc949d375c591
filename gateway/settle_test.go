package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func usd(t testing.TB, text string) *newel.Money {
	t.Helper()
	if text == "" {
		return nil
	}
	m, err := newel.ParseMoney(text)
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

func num(n int64) *int64 { return &n }

// tokens is a consistent usage.
func tokens(in, cached, out int64) newel.Usage {
	return newel.Usage{Input: num(in), Uncached: num(in - cached), CacheRead: num(cached), Output: num(out), Source: "body", Convention: "inclusive", Consistent: true}
}

func TestEachRuleOfCost(t *testing.T) {
	t.Parallel()
	two := 2
	worked := tokens(1200, 1024, 300)
	step := newel.Dollar / 1_000_000
	type said struct {
		model    string
		status   int
		gateway  string
		source   string
		upstream string
		usage    newel.Usage
		change   func(c *newel.Call, r *response)
	}
	cases := []struct {
		name   string
		said   said
		traits traits
		may    bool
		usd    string
		status string
		source string
	}{
		{"1: no header and no price is unknown", said{model: "house", usage: worked}, traits{}, false, "", newel.CostUnknown, ""},
		{"2: a zero for tokens is no zero", said{model: "house", gateway: "0", usage: worked}, traits{}, false, "", newel.CostUnknown, ""},
		{"2a: a zero on a hit is one", said{model: "gpt-4o-mini", gateway: "0", usage: worked, change: hit("hit_exact")}, traits{}, false, "0", newel.CostZero, ""},
		{"2a: a hit without an amount cost nothing", said{model: "gpt-4o-mini", usage: worked, change: hit("hit")}, traits{}, false, "0", newel.CostZero, ""},
		{"2a: a hit with the price of a call that was not made cost nothing", said{model: "gpt-4o-mini", gateway: "0.0002832", usage: worked, change: hit("hit")}, traits{}, false, "0", newel.CostZero, ""},
		{"2a: a hit that a gateway bills was billed", said{model: "gpt-4o-mini", gateway: "0.0001", usage: worked, change: hit("hit")}, traits{billed: true}, false, "0.0001", newel.CostBilled, ""},
		{"2a: a semantic hit at full price is an upper bound", said{model: "gpt-4o-mini", gateway: "0.00036", usage: worked, change: hit("hit_semantic")}, traits{}, false, "0.00036", newel.CostUpperBound, ""},
		{"2b: a zero is one where the table says free", said{model: "free-model", gateway: "0", usage: worked}, traits{}, false, "0", newel.CostZero, ""},
		{"2b: the table alone says free", said{model: "free-model", usage: worked}, traits{}, false, "0", newel.CostZero, "table"},
		{"2b: a model given away by a gateway that bills", said{model: "meta/llama:free", gateway: "0", usage: worked}, traits{billed: true}, false, "0", newel.CostZero, ""},
		{"2b: the same word of a gateway that computes says nothing", said{model: "meta/llama:free", gateway: "0", usage: worked}, traits{}, false, "", newel.CostUnknown, ""},
		{"2c: a refusal at the door cost nothing", said{model: "gpt-4o-mini", status: 402}, traits{}, false, "0", newel.CostZero, ""},
		{"3: a value rounded to zero gives way to the table's", said{model: "gpt-4o-mini", gateway: "0", source: "gateway_header", usage: tokens(2, 0, 0)}, traits{step: step}, false, "0.0000003", newel.CostTable, "table"},
		{"3: and is unknown where the table knows nothing", said{model: "house", gateway: "0", source: "gateway_header", usage: worked}, traits{step: step}, false, "", newel.CostUnknown, ""},
		{"4: usage and rates make the table's figure", said{model: "gpt-4o-mini", usage: worked}, traits{}, false, "0.0002832", newel.CostTable, "table"},
		{"4: a missing discount makes it an upper bound", said{model: "no-cache-rate", usage: worked}, traits{}, false, "0.0018", newel.CostUpperBound, "table"},
		{"4: no usage, no figure", said{model: "gpt-4o-mini", usage: newel.Usage{Source: "none"}}, traits{}, false, "", newel.CostUnknown, ""},
		{"4: nor one from a usage that does not add up", said{model: "gpt-4o-mini", usage: newel.Usage{Input: num(10), Output: num(10)}}, traits{}, false, "", newel.CostUnknown, ""},
		{"5: what is billed is believed, far from the table", said{model: "gpt-4o-mini", gateway: "0.5", usage: worked}, traits{billed: true}, false, "0.5", newel.CostBilled, ""},
		{"5: what is computed is believed near the table", said{model: "gpt-4o-mini", gateway: "0.000288", usage: worked}, traits{fullPriceForCached: true}, false, "0.000288", newel.CostGateway, ""},
		{"5: 2 % and no more", said{model: "gpt-4o-mini", gateway: "0.00028887", usage: worked}, traits{fullPriceForCached: true}, false, "0.0002832", newel.CostTable, "table"},
		{"5: the step is allowed besides", said{model: "gpt-4o-mini", gateway: "0.000001", source: "gateway_header", usage: tokens(10, 4, 0)}, traits{fullPriceForCached: true, step: step}, false, "0.000001", newel.CostGateway, "gateway_header"},
		{"5: cached tokens at full price: the table's", said{model: "gpt-4o-mini", gateway: "0.00036", usage: worked}, traits{fullPriceForCached: true}, false, "0.0002832", newel.CostTable, "table"},
		{"5: without cached tokens the gateway's", said{model: "gpt-4o-mini", gateway: "0.00072", usage: tokens(1200, 0, 300)}, traits{fullPriceForCached: true}, false, "0.00072", newel.CostGateway, ""},
		{"5: a mismatch of a gateway without that fault is its own", said{model: "gpt-4o-mini", gateway: "0.00036", usage: worked}, traits{}, false, "0.00036", newel.CostGateway, ""},
		{"6: a timeout is unknown, whatever the header says", said{model: "gpt-4o-mini", status: 504, gateway: "0"}, traits{}, true, "", newel.CostUnknown, ""},
		{"6: an amount on an error of a gateway that always says one is none", said{model: "gpt-4o-mini", status: 500, gateway: "0.1"}, traits{zeroOnErrors: true}, true, "", newel.CostUnknown, ""},
		{"6: an amount on an error is taken from others", said{model: "gpt-4o-mini", status: 500, gateway: "0.1"}, traits{}, true, "0.1", newel.CostGateway, ""},
		{"7: failed attempts in no count make a lower bound", said{model: "gpt-4o-mini", usage: worked, change: attempts(&two)}, traits{}, false, "0.0002832", newel.CostLowerBound, "table"},
		{"7: not where they are known to have cost nothing", said{model: "gpt-4o-mini", usage: worked, change: func(c *newel.Call, r *response) { c.UpstreamAttempts, r.harmless = &two, true }}, traits{}, false, "0.0002832", newel.CostTable, "table"},
		{"7: nor where what is billed is all there is", said{model: "gpt-4o-mini", gateway: "0.1", usage: worked, change: attempts(&two)}, traits{billed: true}, false, "0.1", newel.CostBilled, ""},
		{"7: a refusal at the door stays what it is", said{model: "gpt-4o-mini", status: 429}, traits{hidesRetries: true}, false, "0", newel.CostZero, ""},
		{"8: a fee and the provider's charge are added", said{model: "x", gateway: "0.001", upstream: "0.02", usage: worked, change: byok}, traits{billed: true}, false, "0.021", newel.CostGateway, ""},
		{"8: a fee of zero and a charge", said{model: "x", gateway: "0", upstream: "0.02", usage: worked, change: byok}, traits{billed: true}, false, "0.02", newel.CostGateway, ""},
		{"8: a fee without the charge is a lower bound", said{model: "x", gateway: "0.001", usage: worked, change: byok}, traits{billed: true}, false, "0.001", newel.CostLowerBound, ""},
		{"8: no fee and no charge is unknown", said{model: "x", gateway: "0", usage: worked, change: byok}, traits{billed: true}, false, "", newel.CostUnknown, ""},
		{"9: what a broken stream had told is a lower bound", said{model: "gpt-4o-mini", usage: worked, change: func(_ *newel.Call, r *response) { r.cut = true }}, traits{}, true, "0.0002832", newel.CostLowerBound, "table"},
		{"extras that no table knows make it a lower bound", said{model: "gpt-4o-mini", usage: worked, change: func(_ *newel.Call, r *response) { r.extra = true }}, traits{}, false, "0.0002832", newel.CostLowerBound, "table"},
		{"a batch costs half", said{model: "gpt-4o-mini", usage: worked, change: func(c *newel.Call, _ *response) { c.Batch = true }}, traits{}, false, "0.0001416", newel.CostTable, "table"},
	}
	prices := testPrices(t)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := &newel.Call{ModelUsed: tc.said.model, Usage: tc.said.usage, Fallback: "no", AttemptsExact: true}
			c.Cost.Gateway, c.Cost.Source, c.Cost.Upstream = usd(t, tc.said.gateway), tc.said.source, usd(t, tc.said.upstream)
			r := &response{status: 200, header: http.Header{}}
			if tc.said.status != 0 {
				r.status = tc.said.status
			}
			if tc.said.change != nil {
				tc.said.change(c, r)
			}
			settle(c, r, tc.traits, prices, tc.may)
			type settled struct{ USD, Status, Source string }
			got := settled{Status: c.Cost.Status, Source: c.Cost.Source}
			if c.Cost.USD != nil {
				got.USD = c.Cost.USD.String()
			}
			if diff := cmp.Diff(settled{tc.usd, tc.status, tc.source}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func hit(word string) func(*newel.Call, *response) {
	return func(c *newel.Call, _ *response) { c.Cache = word }
}

func attempts(n *int) func(*newel.Call, *response) {
	return func(c *newel.Call, _ *response) { c.UpstreamAttempts = n }
}

func byok(_ *newel.Call, r *response) { r.byok = true }

func TestATableFigureIsExact(t *testing.T) {
	t.Parallel()
	// The vector of the price page: 26.4 + 76.8 + 180 µUSD.
	u := tokens(1200, 1024, 300)
	u.Reasoning = num(128)
	p := testPrices(t).find("openai/gpt-4o-mini-2024-07-18")
	got, status := p.cost(&u, "", false, "")
	if got != 283_200_000 || status != newel.CostTable {
		t.Errorf("%d %s, want 283200000 pUSD", got, status)
	}
	// Amounts beyond what money holds are unknown, not wrapped.
	huge := tokens(most, 0, most)
	if got, status := (&price{variant: variant{rates: rates{in: usd(t, "0.01"), out: usd(t, "9")}}}).cost(&huge, "", false, ""); status != newel.CostUnknown {
		t.Errorf("%d %s, want unknown", got, status)
	}
}

// TestUnknownNeverBecomesZero goes through all combinations of what a gateway may
// say and not say, and holds that a zero always has one of the reasons for which
// it may be one.
func TestUnknownNeverBecomesZero(t *testing.T) {
	t.Parallel()
	prices := testPrices(t)
	n := 0
	each := func(c newel.Call, r response, tr traits, may bool) {
		n++
		settle(&c, &r, tr, prices, may)
		free := c.ModelUsed == "free-model" || strings.HasSuffix(c.ModelUsed, ":free")
		cached := strings.HasPrefix(c.Cache, "hit")
		door := r.status != 200 && !may
		switch {
		case (c.Cost.USD == nil) != (c.Cost.Status == newel.CostUnknown):
			t.Errorf("usd %v with status %q", c.Cost.USD, c.Cost.Status)
		case c.Cost.USD != nil && *c.Cost.USD == 0 && !free && !cached && !door:
			t.Errorf("a zero without a reason: %+v %+v", c, r)
		case c.Cost.USD != nil && *c.Cost.USD == 0 && c.Cost.Status != newel.CostZero && c.Cost.Status != newel.CostLowerBound:
			t.Errorf("a zero with status %q", c.Cost.Status)
		case c.Cost.USD != nil && *c.Cost.USD < 0:
			t.Errorf("below zero: %v", c.Cost.USD)
		}
	}
	amounts := []*newel.Money{nil, usd(t, "0"), usd(t, "0.0002832"), usd(t, "5")}
	usages := []newel.Usage{{}, tokens(0, 0, 0), tokens(1200, 1024, 300), tokens(1, 0, 0), {Input: num(0), Output: num(0)}}
	for _, model := range []string{"", "house", "gpt-4o-mini", "free-model", "a:free"} {
		for _, amount := range amounts {
			for _, upstream := range amounts[:3] {
				for _, u := range usages {
					for _, cache := range []string{"miss", "hit", "hit_semantic"} {
						for bits := range 256 {
							bit := func(i int) bool { return bits>>i&1 == 1 }
							c := newel.Call{ModelUsed: model, Usage: u, Cache: cache, Fallback: "no", AttemptsExact: bit(0)}
							c.Cost.Gateway, c.Cost.Upstream, c.Cost.Source = amount, upstream, "gateway_header"
							r := response{status: 200, header: http.Header{}, byok: bit(1), cut: bit(2)}
							if bit(3) {
								r.status = 500
							}
							tr := traits{billed: bit(4), fullPriceForCached: bit(5), zeroOnErrors: bit(6)}
							if bit(7) {
								tr.step = newel.Dollar / 1_000_000
							}
							each(c, r, tr, bit(3) && bit(0))
						}
					}
				}
			}
		}
	}
	if n != 230400 {
		t.Errorf("%d combinations", n)
	}
}
