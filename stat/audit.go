package stat

// AuditState is what an audit says of the layer that settled a stratum.
type AuditState string

// The audit states.
const (
	Alarm    AuditState = "alarm"    // surely worse than allowed
	Kept     AuditState = "kept"     // surely within the allowance
	Unproven AuditState = "unproven" // too few audited to say
)

// Audit is the finding on one settled stratum.
type Audit struct {
	State    AuditState
	Interval Interval // Clopper–Pearson, each end one-sided at 0.05 ÷ strata
	P        float64  // against "the error is within the allowance"
}

// AuditStratum reads wrong of n audited rows against an allowance, as one of
// strata settled strata that share an error of 0.05. Without audited rows nothing
// is proven.
func AuditStratum(wrong, n int64, allowance float64, strata int) Audit {
	if n == 0 {
		return Audit{State: Unproven, Interval: Interval{0, 1}, P: 1}
	}
	k, all := float64(wrong), float64(n)
	out := Audit{
		State:    Unproven,
		Interval: clopperPearson(k, all-k, 2*0.05/float64(max(1, strata))),
		P:        binomialTail(k, all, allowance),
	}
	switch {
	case out.Interval.Low > allowance:
		out.State = Alarm
	case out.Interval.High <= allowance+slack:
		out.State = Kept
	}
	return out
}
