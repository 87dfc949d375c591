package gateway

import (
	"cmp"
	"fmt"
	"strings"

	"newel"
)

// told works out the facts from the calls that were made.
func (p *probe) told() {
	for i := range p.Calls {
		c := p.Calls[i].Call
		if i == 0 || p.Dialect == p.client.plain().name {
			p.Dialect = c.Dialect
		}
		p.Version = cmp.Or(p.Version, c.Version)
	}
	if p.Dialect == "" {
		p.Dialect = p.client.asking().name
	}
	facts := []func() Fact{
		p.dialectFact, p.costFact, p.agreementFact, p.modelFact, p.fallbackFact, p.guardrailFact, p.attemptsFact, p.latencyFact,
		p.cacheFact, p.usageFact, p.cachedFact, p.idFact, p.limitsFact, p.structuredFact, p.logprobsFact, p.errorsFact,
	}
	for _, f := range facts {
		fact := f()
		fact.About = clip(fact.About, maxShown)
		p.Facts = append(p.Facts, fact)
	}
}

// Words of Fact.Told.
const (
	toldYes    = "yes"
	toldPartly = "partly"
	toldNo     = "no"
	toldNever  = "untested"
)

// call is one by its name; nil: it was not made.
func (p *probe) call(name string) *Probed {
	for i := range p.Calls {
		if p.Calls[i].Name == name {
			return &p.Calls[i]
		}
	}
	return nil
}

// answered is the first call that brought an answer to the model that is tested;
// nil: none did.
func (p *probe) answered() *Probed {
	for i := range p.Calls {
		if p.Calls[i].reply.Fault == nil && p.Calls[i].Name != probeError {
			return &p.Calls[i]
		}
	}
	return nil
}

// of makes a fact of the first answer.
func (p *probe) of(name string, read func(c *newel.Call) (told, about string)) Fact {
	first := p.answered()
	if first == nil {
		return Fact{name, toldNever, "no call was answered"}
	}
	told, about := read(&first.Call)
	return Fact{name, told, about}
}

func (p *probe) dialectFact() Fact {
	name := p.Dialect
	if p.Version != "" {
		name += " " + p.Version
	}
	switch {
	case len(p.Calls) == 0 || p.Calls[0].Call.Status == 0:
		return Fact{"dialect", toldNever, "nothing came back"}
	case p.client.dialect != nil:
		return Fact{"dialect", toldYes, name + ", as named"}
	case p.Dialect == p.client.plain().name:
		return Fact{"dialect", toldNo, "no answer says which gateway it is; read as plain " + name}
	}
	return Fact{"dialect", toldYes, name + ", by what its answers say"}
}

func (p *probe) costFact() Fact {
	return p.of("cost", func(c *newel.Call) (string, string) {
		places := map[string]string{"gateway_header": "in a header", "gateway_body": "in the body", "gateway_lookup": "by a look-up after the call"}
		at, gateway := places[c.Cost.Source], c.Cost.Source != "table"
		switch {
		case c.Cost.Status == newel.CostBilled:
			return toldYes, "the charge itself, " + at
		case c.Cost.Status == newel.CostGateway:
			return toldYes, "computed by the gateway, told " + at + inSteps(c.Cost.Step)
		case c.Cost.Status == newel.CostZero && at != "":
			return toldYes, "0, and that is known; told " + at
		case c.Cost.Status == newel.CostZero:
			return toldNo, "not told; known to be 0"
		case c.Cost.USD != nil && gateway && at != "":
			return toldPartly, "a " + strings.ReplaceAll(c.Cost.Status, "_", " ") + ", told " + at
		case c.Cost.USD != nil && c.Cost.Gateway != nil:
			return toldPartly, "told, and not believed, as it takes cached tokens for plain ones; the price table's counts"
		case c.Cost.USD != nil:
			return toldNo, "not told" + p.lookUpFailed() + "; the price table's counts, from the tokens" + bound(c.Cost)
		}
		return toldNo, "not told" + p.lookUpFailed() + ", and not in the price table: unknown"
	})
}

func bound(c newel.Charge) string {
	if c.Exact() {
		return ""
	}
	return ", as a " + strings.ReplaceAll(c.Status, "_", " ")
}

func inSteps(step *newel.Money) string {
	if step == nil {
		return ""
	}
	return ", in steps of $" + step.String()
}

func (p *probe) lookUpFailed() string {
	if p.failed == "" {
		return ""
	}
	return " (" + p.failed + ")"
}

// agreementFact compares the gateway's amounts with the table's, call by call.
func (p *probe) agreementFact() Fact {
	fact := Fact{"price table", toldNever, "the gateway tells no amount to compare"}
	if p.Worst == nil {
		fact.About = "table " + p.Prices + " has no price for " + p.Model
		fact.Told = toldNo
	}
	var apart []string
	for _, c := range p.Calls {
		charge := c.Call.Cost
		if c.reply.Fault != nil || charge.Gateway == nil || charge.Table == nil || *charge.Table == 0 {
			continue
		}
		fact.Told, fact.About = toldYes, "the gateway's amounts are table "+p.Prices+"'s, within 2 %"
		if !near(*charge.Gateway, *charge.Table, charge.Step) {
			off := 100 * (float64(*charge.Gateway) - float64(*charge.Table)) / float64(*charge.Table)
			apart = append(apart, fmt.Sprintf("%s %+.1f %%", c.Name, off))
		}
	}
	if len(apart) > 0 {
		return Fact{"price table", toldNo, "the gateway's amounts are not table " + p.Prices + "'s: " + strings.Join(apart, ", ")}
	}
	return fact
}
