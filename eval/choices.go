package eval

import (
	"maps"
	"slices"
	"strings"

	"newel"
	"newel/stat"
)

// maxChoices is how many different labels and choices of one rubric are told
// apart; past that its choices are not compared.
const maxChoices = 50

// choiceFold counts people's labels against a judge's choices.
type choiceFold struct {
	counts   map[string]map[string]int // by label, then by choice
	unparsed map[string]int            // by label
	open     int                       // labelled rows that nobody judged
	crowded  bool
	words    bool // a label that is neither pass nor fail was met by a choice, or a choice is itself such a word
}

// labelText is the choice that a label names, false for what cannot be one.
func labelText(label newel.Raw) (string, bool) {
	if label.Kind() == '0' {
		return string(label), true
	}
	text, err := newel.Unquote(label)
	return text, err == nil
}

func (c *choiceFold) add(label newel.Raw, res *newel.Result) {
	if kind := label.Kind(); c.crowded || kind != '"' && kind != '0' {
		return
	}
	unparsed := res.Err != nil && res.Err.Kind == newel.KindUnparsable
	if res.Choice == "" && !unparsed {
		c.open++
		return
	}
	text, is := labelText(label)
	if !is {
		return
	}
	row := c.row(text)
	switch _, known := row[res.Choice]; {
	case row == nil:
	case unparsed:
		c.unparsed[strings.Clone(text)]++
	case !known && len(row) >= maxChoices:
		c.crowded = true
	default:
		row[strings.Clone(res.Choice)]++
		c.words = c.words || !LabelVerdict(label).Settled() || verdictWord(res.Choice)
	}
}

// row returns the counts of a label, nil where there are too many labels.
func (c *choiceFold) row(label string) map[string]int {
	if row := c.counts[label]; row != nil {
		return row
	}
	if len(c.counts) >= maxChoices {
		c.crowded = true
		return nil
	}
	if c.counts == nil {
		c.counts, c.unparsed = map[string]map[string]int{}, map[string]int{}
	}
	row := map[string]int{}
	c.counts[strings.Clone(label)] = row
	return row
}

func verdictWord(choice string) bool {
	return choice == "pass" || choice == "fail" || choice == "true" || choice == "false"
}

// compared says that labels are choices and not verdicts on them.
func (c *choiceFold) compared() bool { return c.words && !c.crowded }

// tooMany says that choices are there and are not compared.
func (c *choiceFold) tooMany() bool { return c.words && c.crowded }

// names lists what people or the judge chose.
func (c *choiceFold) names() []string {
	all := map[string]bool{}
	for label, row := range c.counts {
		all[label] = true
		for choice := range row {
			all[choice] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (c *choiceFold) summary(rubric string) newel.Agreement {
	out := &newel.ChoiceAgreement{Names: c.names()}
	var t stat.Table
	for _, label := range out.Names {
		row, counts := make([]int, len(out.Names)), make([]int64, len(out.Names))
		for i, choice := range out.Names {
			row[i] = c.counts[label][choice]
			counts[i] = int64(row[i])
		}
		out.Table, out.Unparsed = append(out.Table, row), append(out.Unparsed, c.unparsed[label])
		t.Counts, t.Unparsed = append(t.Counts, counts), append(t.Unparsed, int64(c.unparsed[label]))
	}
	agree := 0
	for i := range out.Table {
		agree += out.Table[i][i]
	}
	out.Counted, out.LeftOut = figures(t.Macro(true), agree), figures(t.Macro(false), agree)
	l := out.LeftOut
	return newel.Agreement{Rubric: rubric, N: l.N, Agree: l.Agree, Accuracy: l.Accuracy, Precision: l.Precision, Recall: l.Recall,
		F1: l.F1, Kappa: l.Kappa, Unjudged: c.open + int(t.Lost()), Choices: out}
}

func figures(a stat.Agreement, agree int) newel.ChoiceFigures {
	return newel.ChoiceFigures{N: int(a.N), Agree: agree, Accuracy: number(a.Accuracy), Precision: number(a.Precision),
		Recall: number(a.Recall), F1: number(a.F1), Kappa: number(a.Kappa)}
}
