// Package stat holds the numbers behind a verdict: intervals of a rate, of a
// mean and of a difference between two runs, what a rule makes of them, how a
// gate combines rules, and the counts that a plan needs beforehand.
//
// It computes and decides; it reads no store, prints nothing and knows nothing
// of suites. Callers hand it rows in plan order (floating sums follow the order
// given, so the same rows in the same order give the same bits on one machine;
// between processor families the last digits may differ, so print at most ten).
//
// A number that does not exist (no point estimate, no p-value, an n* that was
// not used) is NaN. Every interval is two-sided at its confidence. Rules allow
// 1e-12 in favour of passed.
package stat
