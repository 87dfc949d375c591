package gate

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"newel"
	"newel/stat"
)

// bar reads what the rule asks for.
func (p *parser) bar() {
	switch p.out.Kind {
	case MinRate:
		p.out.Min = p.share("min", p.node.Field("min"))
		p.attainable()
	case MaxFails:
		if n := p.inner("fails", "max", "{max: 0}"); n != nil {
			p.out.Fails = p.whole(n)
		}
	case NoWorse:
		p.margin()
	case MaxErrors:
		if n := p.inner("errors", "max", "{max: 0.01}"); n != nil {
			p.out.Errors = p.share("errors: max", n)
		}
	case MaxCost:
		if n := p.inner("cost", "max_usd", "{max_usd: 5.00}"); n != nil {
			p.out.USD = p.money(n)
		}
	case MinMean:
		n := p.node.Field("min")
		if n == nil {
			p.add(p.node.Pos, "a rule with mean needs min: the least mean that passes")
			return
		}
		p.out.Min = p.number(n, "min")
	}
}

func (p *parser) attainable() {
	rule := stat.RateRule{Min: p.out.Min, Of: p.out.Of, Read: p.out.Read}
	if rule.Min == 1 && rule.Check() != nil {
		p.add(p.node.Field("min").Pos, "min: 1 can never hold: no number of cases proves that nothing ever fails; write of: suite to ask it of exactly these cases, or fails: {max: 0}")
	}
}

func (p *parser) share(what string, n *newel.Node) float64 {
	f := p.number(n, what)
	if f < 0 || f > 1 {
		hint := ""
		if f > 1 && f <= 100 {
			hint = fmt.Sprintf(" (%s %% is %s)", plain(f), plain(f/100))
		}
		p.add(n.Pos, "%s is a share from 0 to 1; this is %s%s", what, plain(f), hint)
	}
	return f
}

func (p *parser) whole(n *newel.Node) int64 {
	f := p.number(n, "fails: max")
	if f < 0 || f > 1<<53 || f != math.Trunc(f) {
		if !math.IsNaN(f) {
			p.add(n.Pos, "fails: max is a whole number of rows from 0 on; this is %s", plain(f))
		}
		return 0
	}
	return int64(f)
}

// margin reads no_worse_than: baseline, margin: 0.02.
func (p *parser) margin() {
	than := p.node.Field("no_worse_than")
	if text, _ := than.Text(); text != "baseline" {
		p.add(than.Pos, "no_worse_than is always baseline; which run that is says --baseline")
	}
	n := p.node.Field("margin")
	if n == nil {
		p.add(p.node.Pos, "no_worse_than needs margin: by how much worse, as a share, is still as good (0.02 is two points)")
		return
	}
	p.out.Margin = p.number(n, "margin")
	if p.out.Margin <= 0 || p.out.Margin >= 1 {
		p.add(n.Pos, "margin is %s; it must lie between 0 and 1, and 0 could never be shown", plain(p.out.Margin))
	}
}

// inner returns the one value in the map under a key, such as fails: {max: 0}.
func (p *parser) inner(key, name, example string) *newel.Node {
	n := p.node.Field(key)
	if !n.IsMap() {
		p.add(n.Pos, "%s is a map: %s: %s", key, key, example)
		return nil
	}
	for _, f := range n.Fields {
		if f.Name != name && !strings.HasPrefix(f.Name, "x-") {
			p.add(f.Pos, "%s has no key %q, only %s", key, f.Name, name)
		}
	}
	found := n.Field(name)
	if found == nil && !p.wrong {
		p.add(n.Pos, "%s needs %s: %s: %s", key, name, key, example)
	}
	return found
}

func (p *parser) money(n *newel.Node) newel.Money {
	if _, text := n.Text(); text || !n.IsScalar() || n.Kind() != "a number" {
		p.add(n.Pos, "cost: max_usd is a number of dollars; this is %s", n.Kind())
		return 0
	}
	raw, err := json.Marshal(n)
	var usd newel.Money
	if err == nil {
		usd, err = newel.ParseMoney(string(raw))
	}
	if err != nil || usd < 0 {
		p.add(n.Pos, "cost: max_usd is a number of dollars from 0 on, with twelve decimals at most; this is %s", raw)
	}
	return usd
}
