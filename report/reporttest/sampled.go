package reporttest

import "newel"

// Sampled is Complete with a rubric whose judge saw a sample and an audit, and
// with people's choices and several raters.
func Sampled() *newel.Summary {
	s := Complete()
	audited := func(n, wrong int, low, high float64, state newel.AuditState) *newel.Audited {
		a := &newel.Audited{N: n, Wrong: wrong, State: state}
		if n > 0 {
			a.Error, a.Interval = f(float64(wrong)/float64(n)), &[2]float64{low, high}
		}
		if state != "" {
			a.Allowed = f(0.02)
		}
		return a
	}
	s.Rubrics[1].Method = "Korn–Graubard over post-stratified regression"
	s.Rubrics[1].Strata = []newel.Stratum{
		{Layer: "floor", Verdict: "fail", Rows: 4, Decided: 4, Rate: f(0), Audit: audited(3, 1, 0.0085, 0.8646, "")},
		{Layer: "floor", Verdict: "pass", Rows: 610, Rate: f(1), Audit: audited(0, 0, 0, 0, newel.AuditUnproven)},
		{Layer: "classifier", Verdict: "fail", Rows: 1_210, Decided: 61, Rate: f(0.1475), Audit: audited(61, 9, 0.0698, 0.2619, newel.AuditAlarm)},
		{Layer: "classifier", Verdict: "pass", Rows: 6_171, Decided: 309, Missing: 2, Rate: f(0.9968), Audit: audited(309, 1, 0.0001, 0.0180, newel.AuditKept)},
		{Rows: 2_005, Decided: 201, Missing: 6, Rate: f(0.71)},
	}
	s.Rubrics[1].Choices = &newel.ChoiceSummary{N: 2_580, Counts: []newel.ChoiceCount{{Choice: "new", N: 104}, {Choice: "old", N: 0}, {Choice: "tie", N: 2_476}},
		Orders: &newel.OrderSummary{Orders: newel.Orders{Asked: 2_580, Same: 112, First: 2_460, Second: 6}, Consistency: f(0.0434)}}
	s.Rubrics[2].Choices = &newel.ChoiceSummary{N: 12, Counts: []newel.ChoiceCount{{Choice: "warm", N: 11}, {Choice: "cold", N: 1}}}
	s.Agreement = append(s.Agreement,
		newel.Agreement{Rubric: "better", N: 974, Agree: 697, Accuracy: f(0.7156), Precision: f(0.5365), Recall: f(0.5417), F1: f(0.5331), Kappa: f(0.4929), Unjudged: 27,
			Choices: &newel.ChoiceAgreement{Names: []string{"first", "second", "tie"},
				Table: [][]int{{332, 71, 13}, {86, 360, 20}, {42, 45, 5}}, Unparsed: []int{6, 6, 13},
				Counted: newel.ChoiceFigures{N: 999, Agree: 697, Accuracy: f(0.6977), Precision: f(0.5365), Recall: f(0.5324), F1: f(0.5274), Kappa: f(0.4755)},
				LeftOut: newel.ChoiceFigures{N: 974, Agree: 697, Accuracy: f(0.7156), Precision: f(0.5365), Recall: f(0.5417), F1: f(0.5331), Kappa: f(0.4929)}},
			Raters: &newel.RaterAgreement{Cases: 999, Alpha: f(0.8643), Pairs: []newel.RaterPair{
				{A: "1", B: "2", N: 999, Agree: 912, Kappa: f(0.852)}, {A: "1", B: "3", N: 999, Agree: 928, Kappa: f(0.879)}, {A: "2", B: "3", N: 999, Agree: 918, Kappa: f(0.862)}}}},
		newel.Agreement{Rubric: "tone", Raters: &newel.RaterAgreement{Cases: 12, Alpha: f(1), Pairs: []newel.RaterPair{{A: "ann", B: "bo", N: 12, Agree: 12}}}})
	return s
}
