package stat

import "math"

// JudgeHealth is a judge's pass rate with its sensitivity and specificity on
// labelled rows: what the judge's health page shows. No rule reads it.
type JudgeHealth struct {
	Passed, Rows             float64 // judged rows, and how many the judge passed
	Specificity, Sensitivity float64 // on the labels
	BadLabels, GoodLabels    float64 // how many labels each of the two comes from
}

// CorrectedRate is the rate behind a judge's rate.
type CorrectedRate struct {
	Point    float64 // Rogan and Gladen 1978; NaN unless the judge beats chance
	Adjusted float64 // with the pseudo-counts of Lee and others
	Shift    float64
	SE       float64
	Interval Interval
}

// Corrected undoes the judge's known errors (Rogan and Gladen 1978) with the
// interval of Lee and others (arXiv 2511.21140). A judge no better than chance
// (specificity + sensitivity ≤ 1) gives NaN and [0,1].
func (j JudgeHealth) Corrected(confidence float64) CorrectedRate {
	z := -NormalQuantile((1 - confidence) / 2)
	square := z * z
	bad := (j.BadLabels*j.Specificity + 1) / (j.BadLabels + 2)
	good := (j.GoodLabels*j.Sensitivity + 1) / (j.GoodLabels + 2)
	gain := bad + good - 1
	if j.Specificity+j.Sensitivity <= 1 || gain <= 0 {
		nan := math.NaN()
		return CorrectedRate{nan, nan, nan, nan, Interval{0, 1}}
	}
	p := (j.Passed + square/2) / (j.Rows + square)
	out := CorrectedRate{
		Point:    clip((j.Passed/j.Rows+j.Specificity-1)/(j.Specificity+j.Sensitivity-1), 0, 1),
		Adjusted: clip((p+bad-1)/gain, 0, 1),
	}
	theta := out.Adjusted
	badVariance := bad * (1 - bad) / (j.BadLabels + 2)
	goodVariance := good * (1 - good) / (j.GoodLabels + 2)
	out.Shift = 2 * square * (theta*goodVariance - (1-theta)*badVariance)
	out.SE = math.Sqrt(p*(1-p)/(j.Rows+square)+(1-theta)*(1-theta)*badVariance+theta*theta*goodVariance) / gain
	centre := theta + out.Shift
	out.Interval = Interval{clip(centre-z*out.SE, 0, 1), clip(centre+z*out.SE, 0, 1)}
	return out
}

// SplitLabels shares n labels between rows that are good and rows that are bad
// so that the corrected rate is as sure as can be: rate is the judge's, the
// other two come from pilot labels of each kind (arXiv 2511.21140).
func SplitLabels(n int64, rate, specificity, sensitivity, pilot float64) (good, bad int64) {
	bq := (pilot*specificity + 1) / (pilot + 2)
	gq := (pilot*sensitivity + 1) / (pilot + 2)
	kappa := (1 - bq) / (1 - gq)
	if rate <= 0 {
		return 0, n
	}
	good = int64(math.Round(float64(n) / (1 + (1/rate-1)*math.Sqrt(kappa))))
	return good, n - good
}
