package stat

// State is what a rule or a gate comes to.
type State string

// The states, from the one that outranks all others.
const (
	Invalid      State = "invalid"
	Failed       State = "failed"
	Inconclusive State = "inconclusive"
	Passed       State = "passed"
)

// Exit is the exit code of a gate in this state.
func (s State) Exit() int {
	switch s {
	case Passed:
		return 0
	case Failed:
		return 1
	case Inconclusive:
		return 4
	}
	return 3
}

// slack is by how much a comparison leans towards passed.
const slack = 1e-12

// decide reads an interval, or two bounds, against the bar.
func decide(i Interval, bar float64) State {
	switch {
	case i.Low >= bar-slack:
		return Passed
	case i.High < bar-slack:
		return Failed
	}
	return Inconclusive
}

// ErrorsRule asks that at most a share Max of a rubric's planned rows be
// missing. Max is used as it stands: DefaultMaxErrors is the caller's to fill in.
type ErrorsRule struct{ Max float64 }

// DefaultMaxErrors is the share of missing rows allowed where no rule says so.
const DefaultMaxErrors = 0.01

// Decide is passed or invalid. Without planned rows it is invalid.
func (r ErrorsRule) Decide(missing, planned int64) State {
	if planned <= 0 || float64(missing)/float64(planned) > r.Max+slack {
		return Invalid
	}
	return Passed
}

// FailsRule asks for at most Max failing rows.
type FailsRule struct{ Max int64 }

// Decide takes the rows whose final or judged verdict is fail, and those with
// neither a final nor a judged verdict, which could still be fails.
func (r FailsRule) Decide(fails, open int64) State {
	switch {
	case fails > r.Max:
		return Failed
	case fails+open > r.Max:
		return Inconclusive
	}
	return Passed
}

// Count gives what FailsRule.Decide takes.
func (FailsRule) Count(rows []Row) (fails, open int64) {
	for _, r := range rows {
		switch {
		case r.Mark == Fail:
			fails += r.times()
		case !r.Mark.Decided():
			open += r.times()
		}
	}
	return fails, open
}

// CostRule asks that a run cost at most Max, in 10⁻¹² USD.
type CostRule struct{ Max int64 }

// Decide takes the known cost and the worst price of all calls whose cost is
// unknown, both ≥ 0 and in 10⁻¹² USD.
func (r CostRule) Decide(known, worstUnknown int64) State {
	switch {
	case known > r.Max:
		return Failed
	case worstUnknown > r.Max-known:
		return Inconclusive
	}
	return Passed
}
