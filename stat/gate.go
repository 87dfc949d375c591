package stat

import "math"

// Rule is what a gate needs of one rule's finding.
type Rule struct {
	State    State
	PFailed  float64 // NaN for a rule without a test
	Alpha    float64 // Level.Alpha of the rule
	Advisory bool    // printed, and decides only when invalid
	Alarm    bool    // an audit of the rubric raised an alarm: passed becomes inconclusive
}

// Verdict is what rules come to together.
type Verdict struct {
	State    State
	States   []State   // each rule's, after Holm and alarms
	Adjusted []float64 // Holm p-values; NaN where a rule takes no part
}

// Gate combines rules. Failed needs a Holm-adjusted p below half the rule's
// alpha; passed needs no correction since all must hold (Berger 1982). Invalid
// outranks failed, failed inconclusive, inconclusive passed.
func Gate(rules []Rule) Verdict {
	p := make([]float64, len(rules))
	for i, r := range rules {
		p[i] = r.PFailed
		if r.Advisory || r.State == Invalid {
			p[i] = math.NaN()
		}
	}
	out := Verdict{State: Passed, Adjusted: Holm(p)}
	for i, r := range rules {
		state := r.settle(out.Adjusted[i])
		out.States = append(out.States, state)
		if !r.Advisory || state == Invalid {
			out.State = worse(out.State, state)
		}
	}
	return out
}

func (r Rule) settle(adjusted float64) State {
	switch {
	case r.State == Failed && adjusted >= r.Alpha/2: // false where NaN
		return Inconclusive
	case r.State == Passed && r.Alarm:
		return Inconclusive
	}
	return r.State
}

func worse(a, b State) State {
	for _, s := range []State{Invalid, Failed, Inconclusive} {
		if a == s || b == s {
			return s
		}
	}
	return Passed
}
