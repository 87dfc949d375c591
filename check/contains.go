package check

import (
	"context"
	"strings"

	"newel"
)

// finding is one of the checks that look for texts within a text.
type finding struct {
	name, about string
	holds       func(text, needle string) bool
	all         bool   // every needle must be found, not any
	miss        string // what is said of a text without any
}

var findings = []finding{
	{"contains", "The text holds the wanted text, or one of several.", strings.Contains, false, "the text does not hold "},
	{"contains-any", "The text holds at least one of the wanted texts.", strings.Contains, false, "the text does not hold "},
	{"contains-all", "The text holds every one of the wanted texts.", strings.Contains, true, "the text does not hold "},
	{"starts-with", "The text begins with the wanted text, or one of several.", strings.HasPrefix, false, "the text does not begin with "},
	{"ends-with", "The text ends with the wanted text, or one of several.", strings.HasSuffix, false, "the text does not end with "},
}

func containsSpecs() []*Spec {
	specs := make([]*Spec, len(findings))
	for i, f := range findings {
		specs[i] = f.spec()
	}
	return specs
}

func (f finding) spec() *Spec {
	return &Spec{
		Name: f.name, Family: "reference", Main: "value", Compares: true,
		About:   f.about + " A value that is no text is its JSON. An empty wanted text is found nowhere, unless empty: match.",
		Params:  wantedParams,
		Extra:   append(readingParams[:2:2], foldParams...),
		Example: f.name + `: {value: [refund, credit], ignore_case: true}`,
		Build: func(a *Args) Func {
			c := comparisonOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				b, err := c.at(s)
				if err != nil {
					return Because(err)
				}
				if f.found(&b) {
					if !a.env.negated {
						return newel.Passed() // nobody asks what was found
					}
					return a.hit(f.what(&b), c.reading.at.String(), b.text, f.place(&b))
				}
				return c.miss(f.why(&b), &b)
			}
		},
	}
}

// found reports whether the needles are found: all of them, or any.
func (f *finding) found(b *sides) bool {
	for _, needle := range b.wanted {
		if f.one(b, needle) != f.all {
			return !f.all
		}
	}
	return f.all
}

func (f *finding) one(b *sides, needle string) bool {
	return (needle != "" || b.empty) && f.holds(b.text, needle)
}

// why says what was not found.
func (f *finding) why(b *sides) string {
	var missing []string
	for _, needle := range b.wanted {
		if !f.one(b, needle) {
			missing = append(missing, needle)
		}
	}
	switch {
	case len(missing) == 1 && missing[0] == "":
		return "the wanted text is empty, and an empty text is found nowhere (empty: match)"
	case len(missing) > 1 && !f.all:
		return f.miss + "any of " + showList(missing)
	}
	return f.miss + showList(missing)
}

// place is where in the text the first needle that is found begins, in bytes.
func (f *finding) place(b *sides) int {
	for _, needle := range b.wanted {
		switch {
		case !f.one(b, needle):
		case f.name == "ends-with":
			return len(b.text) - len(needle)
		default:
			return strings.Index(b.text, needle)
		}
	}
	return 0
}

// what says what was found.
func (f *finding) what(b *sides) string {
	var held []string
	for _, needle := range b.wanted {
		if f.one(b, needle) {
			held = append(held, needle)
		}
	}
	verb := strings.NewReplacer("does not hold", "holds", "does not begin", "begins", "does not end", "ends").Replace(f.miss)
	return verb + showList(held)
}
