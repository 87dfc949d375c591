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
	all         bool // every needle must be found, not any
}

var findings = []finding{
	{"contains", "The text holds the wanted text, or one of several.", strings.Contains, false},
	{"contains-any", "The text holds at least one of the wanted texts.", strings.Contains, false},
	{"contains-all", "The text holds every one of the wanted texts.", strings.Contains, true},
	{"starts-with", "The text begins with the wanted text, or one of several.", strings.HasPrefix, false},
	{"ends-with", "The text ends with the wanted text, or one of several.", strings.HasSuffix, false},
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
		About:   f.about + " An empty needle matches nothing, unless empty: match.",
		Params:  wantedParams,
		Extra:   append(readingParams[:2:2], foldParams...),
		Example: f.name + `: {value: ["refund", "credit"], ignore_case: true}`,
		Build: func(a *Args) Func {
			reading, wanted, fold := ReadingOf(a), WantedOf(a), FoldOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, needles, err := sides(s, reading, wanted, fold)
				if err != nil {
					return Because(err)
				}
				return f.score(text, needles, fold.Empty)
			}
		},
	}
}

// sides returns both sides of a text comparison, folded alike.
func sides(s *newel.Subject, r *Reading, w *Wanted, f *Fold) (text string, wanted []string, err error) {
	if text, err = r.Text(s); err != nil {
		return "", nil, err
	}
	if text, err = f.Text(s, text); err != nil {
		return "", nil, err
	}
	if wanted, err = w.Texts(s); err != nil {
		return "", nil, err
	}
	wanted, err = f.Texts(s, wanted)
	return text, wanted, err
}

func (f finding) score(text string, needles []string, empty bool) newel.Score {
	var missing []string
	for _, needle := range needles {
		found := (needle != "" || empty) && f.holds(text, needle)
		if found && !f.all {
			return newel.Passed()
		}
		if !found {
			missing = append(missing, needle)
		}
	}
	if f.all && len(missing) == 0 && len(needles) > 0 {
		return newel.Passed()
	}
	return newel.Score{
		Verdict:     newel.Fail,
		Explanation: f.name + " does not hold: " + showList(missing) + " is not there",
		Evidence:    []newel.Evidence{{Path: "output", Want: showList(needles), Got: Clip(text, 400)}},
	}
}
