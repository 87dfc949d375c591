package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"newel"
	"newel/stat"
)

// options reads what any rule takes.
func (p *parser) options() {
	for _, f := range p.node.Fields {
		switch f.Name {
		case "by":
			p.out.By = p.dimension(f.Node)
		case "confidence":
			p.out.Level.Confidence = p.confidence(f.Node)
		case "looks":
			looks := p.number(f.Node, "looks")
			if looks < 1 || looks > 10_000 || looks != math.Trunc(looks) && !math.IsNaN(looks) {
				p.add(f.Node.Pos, "looks is how often the rule will be read, a whole number from 1 to 10,000; this is %s", plain(looks))
			}
			p.out.Level.Looks = int(looks)
		case "advisory":
			p.out.Advisory = p.flag(f.Node)
		case "of":
			p.of(f.Node)
		case "read":
			if p.choice(f.Node, "read", "interval", "estimate") == "estimate" {
				p.out.Read = stat.ReadEstimate
			}
		}
	}
}

func (p *parser) of(n *newel.Node) {
	if p.choice(n, "of", "population", "suite") != "suite" {
		return
	}
	if p.out.Kind == NoWorse || p.out.Kind == MinMean {
		p.add(n.Pos, "of: suite has no meaning in a rule with %s: to read these cases as they are, write read: estimate", kinds[p.out.Kind].key)
		return
	}
	p.out.Of = stat.Suite
}

func (p *parser) confidence(n *newel.Node) float64 {
	c := p.number(n, "confidence")
	if c <= 0.5 || c >= 1 {
		p.add(n.Pos, "confidence is %s; it must lie between 0.5 and 1, such as 0.95", plain(c))
	}
	return c
}

// dimension reads dims.NAME, or the JSON Pointer /dims/NAME.
func (p *parser) dimension(n *newel.Node) string {
	text, _ := n.Text()
	if p.out.Kind == MaxCost {
		p.add(n.Pos, "cost is of the whole run: by has no meaning here")
		return ""
	}
	if name, ok := strings.CutPrefix(text, "/dims/"); ok && name != "" && !strings.Contains(name, "/") {
		return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	name, ok := strings.CutPrefix(strings.TrimPrefix(text, "case."), "dims.")
	if !ok || name == "" || strings.Contains(name, ".") {
		example := "language"
		if text != "" && !strings.ContainsAny(text, "./") {
			example = text
		}
		p.add(n.Pos, "by is a dimension of the cases: write dims.%s", example)
	}
	return name
}

func (p *parser) text(n *newel.Node, what string) string {
	t, ok := n.Text()
	if !ok || t == "" {
		p.add(n.Pos, "%s is a text that is not empty; this is %s", what, n.Kind())
	}
	return t
}

// number reads a number; what is none is noted, and NaN.
func (p *parser) number(n *newel.Node, what string) float64 {
	f, ok := newel.Float(n.Value)
	if !ok || !n.IsScalar() {
		p.add(n.Pos, "%s is a number; this is %s", what, n.Kind())
		return math.NaN()
	}
	return f
}

func (p *parser) flag(n *newel.Node) bool {
	b, ok := n.Value.(bool)
	if !ok || !n.IsScalar() {
		p.add(n.Pos, "advisory is true or false; this is %s", n.Kind())
	}
	return b
}

func (p *parser) choice(n *newel.Node, what string, words ...string) string {
	text, _ := n.Text()
	if !slices.Contains(words, text) {
		hint := newel.DidYouMean(text, words)
		if hint == "" {
			hint = fmt.Sprintf(", not %q", text)
		}
		if _, isText := n.Text(); !isText {
			hint = "; this is " + n.Kind()
		}
		p.add(n.Pos, "%s is %s%s", what, strings.Join(words, " or "), hint)
	}
	return text
}
