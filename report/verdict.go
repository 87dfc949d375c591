package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"newel"
)

// verdict is what a report says first.
type verdict struct {
	word string // PASSED, FAILED, …
	tone tone
	text string // on one line, safe for a terminal
}

// Headline returns the first line of a report: the verdict of a run and, where
// its gate failed, the rubric, the difference and the first cases.
func Headline(sum *newel.Summary) string {
	v := verdictOf(sum)
	return v.word + "  " + v.text
}

func verdictOf(sum *newel.Summary) verdict {
	name := named(sum.Suite.Name, "the suite")
	switch {
	case incomplete(sum):
		return verdict{"INCOMPLETE", unsure, name + ": " + missingRows(sum)}
	case sum.Gate != nil:
		return gateVerdict(name, sum)
	case sum.Ledger.Done() == 0:
		return verdict{"EMPTY", unsure, name + ": no rows, nothing was scored"}
	}
	return verdict{"DONE", plainTone, name + ": " + outcome(sum.Cases) + " (no gate)"}
}

// named returns a name from data, short enough for a headline.
func named(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return fit(Visible(text), 60)
}

// incomplete reports whether a run has no verdict yet: it is not sealed, or its
// ledger does not add up.
func incomplete(sum *newel.Summary) bool {
	return sum.State != newel.Sealed || !sum.Ledger.Full()
}

func missingRows(sum *newel.Summary) string {
	l := sum.Ledger
	text := count(l.Done()) + " of " + counted(l.Planned, "row", "rows") + " done, "
	return text + count(l.Planned-l.Done()) + " not done; the run is " + named(string(sum.State), "in no known state")
}

// outcome says how many cases there are and what became of them.
func outcome(l newel.Ledger) string {
	text := counted(l.Planned, "case", "cases") + ": " + count(l.Pass) + " pass, " + count(l.Fail) + " fail"
	if l.Unjudged > 0 {
		text += ", " + count(l.Unjudged) + " unjudged"
	}
	if l.Error > 0 {
		text += ", " + count(l.Error) + " error"
	}
	return text
}

func gateVerdict(name string, sum *newel.Summary) verdict {
	g := sum.Gate
	v := verdict{word: strings.ToUpper(named(string(g.State), "INVALID")), tone: gateTone(g.State)}
	decided := deciding(g)
	if g.State == newel.GatePassed || len(decided) == 0 {
		v.text = name + ": " + held(g) + "; " + outcome(sum.Cases)
		return v
	}
	v.text = ruleLine(decided[0])
	if more := len(decided) - 1; more > 0 {
		v.text += "; and " + counted(more, "more rule", "more rules")
	}
	return v
}

// deciding returns the rules that brought the gate into its state.
func deciding(g *newel.GateSummary) []newel.GateRule {
	var out []newel.GateRule
	for _, r := range g.Rules {
		if r.State == g.State && (!r.Advisory || r.State == newel.GateInvalid) {
			out = append(out, r)
		}
	}
	return out
}

// held says how many of the rules that decide were passed.
func held(g *newel.GateSummary) string {
	rules, passed := 0, 0
	for _, r := range g.Rules {
		if r.Advisory {
			continue
		}
		rules++
		if r.State == newel.GatePassed {
			passed++
		}
	}
	return count(passed) + " of " + counted(rules, "rule", "rules") + " passed"
}

// ruleLine is one rule in full: rubric, what it asks, what was found, the cases.
func ruleLine(r newel.GateRule) string {
	text := ruleName(r) + ": " + Visible(found(r))
	if cases := firstCases(r.Cases, 3); cases != "" {
		text += "; cases " + cases
	}
	return text
}

// ruleName is a rule with its rubric, which the rule's own words may leave out.
func ruleName(r newel.GateRule) string {
	rule := fit(Visible(r.Rule), 100)
	if r.Rubric == "" || hasWord(rule, Visible(r.Rubric)) {
		return rule
	}
	return named(r.Rubric, "") + ": " + rule
}

// hasWord reports whether word stands in text by itself.
func hasWord(text, word string) bool {
	inner := func(r rune) bool { return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for {
		at := strings.Index(text, word)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		text = text[at+len(word):]
		after, _ := utf8.DecodeRuneInString(text)
		if !inner(before) && !inner(after) {
			return true
		}
	}
}

// found is why a rule has its state, with the pairs that changed.
func found(r newel.GateRule) string {
	why := r.Why
	if why == "" && r.Point != nil {
		why = numberRange(*r.Point, r.Interval)
	}
	if why == "" {
		why = string(r.State)
	}
	if r.Broken+r.Fixed > 0 && !strings.Contains(why, "broken") {
		why += " (" + count(r.Broken) + " broken, " + count(r.Fixed) + " fixed)"
	}
	return why
}

// firstCases lists at most n cases. Rules carry only the first few themselves,
// so what is left out here says "…", not a number.
func firstCases(cases []string, n int) string {
	shown := make([]string, 0, n)
	for _, c := range cases[:min(n, len(cases))] {
		shown = append(shown, fit(Visible(c), 40))
	}
	text := strings.Join(shown, ", ")
	if len(cases) > n {
		text += ", …"
	}
	return text
}

func gateTone(s newel.GateState) tone {
	switch s {
	case newel.GatePassed:
		return good
	case newel.GateFailed, newel.GateInvalid:
		return bad
	}
	return unsure
}

func verdictTone(v string) tone {
	switch v {
	case "pass":
		return good
	case "fail":
		return bad
	case "error", "unjudged":
		return unsure
	}
	return plainTone
}

// resume returns the command that goes on with an incomplete run.
func resume(sum *newel.Summary) string {
	return "newel resume " + ShellWord(sum.Run) + sum.Unfinished.Flag()
}
