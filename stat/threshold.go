package stat

// Step is what a threshold did on labelled rows: it settled Settled of them,
// Wrong ones wrongly.
type Step struct{ Settled, Wrong int64 }

// FixedSequence walks steps from the strictest threshold to the loosest and
// gives how many hold: each has an error below allowed with probability
// 1 − delta, and the walk stops at the first that does not (fixed-sequence
// testing, Trust or Escalate, arXiv 2407.18370). The last that holds is the
// edge to use; 0 means none.
func FixedSequence(steps []Step, allowed, delta float64) int {
	for i, s := range steps {
		upper := clopperPearson(float64(s.Wrong), float64(s.Settled-s.Wrong), 2*delta).High
		if s.Settled == 0 || upper > allowed+slack {
			return i
		}
	}
	return len(steps)
}
