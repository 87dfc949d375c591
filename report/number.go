package report

import (
	"math"
	"strconv"
	"time"

	"newel"
)

// nothing stands where there is no number. It is never a zero.
const nothing = "–"

// count returns n with a comma between thousands.
func count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// counted returns n with its noun: "1 case", "2 cases".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// hundredths returns a share as a number of percent with one decimal. What only
// rounds to 0 or 100 is "<0.1" or ">99.9".
func hundredths(p float64) string {
	text := strconv.FormatFloat(100*p, 'f', 1, 64)
	switch {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return nothing
	case p > 0 && text == "0.0":
		return "<0.1"
	case p < 1 && text == "100.0":
		return ">99.9"
	case text == "-0.0":
		return "0.0"
	}
	return text
}

// rate returns a share in percent with its interval, such as
// "59.9 % [58.9, 60.8]".
func rate(p *float64, interval *[2]float64) string {
	if p == nil {
		return nothing
	}
	text := hundredths(*p) + " %"
	if text == nothing+" %" {
		return nothing
	}
	if interval != nil {
		text += " [" + hundredths(interval[0]) + ", " + hundredths(interval[1]) + "]"
	}
	return text
}

// share returns a figure between 0 and 1 (or −1 and 1) with four decimals.
func share(p *float64) string {
	if p == nil {
		return nothing
	}
	return strconv.FormatFloat(*p, 'f', 4, 64)
}

// number returns a scorer's value: three decimals, fewer where it is large, more
// where it would look like a zero.
func number(f float64) string {
	size := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return nothing
	case size >= 1e9, size < 0.0005 && f != 0:
		return strconv.FormatFloat(f, 'g', 3, 64)
	case size >= 1000:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 3, 64)
}

// numberRange returns a value with its interval.
func numberRange(f float64, interval *[2]float64) string {
	if interval == nil {
		return number(f)
	}
	return number(f) + " [" + number(interval[0]) + ", " + number(interval[1]) + "]"
}

// fewClusters is how many independent values a mean needs before its interval is
// shown: with fewer, Student's interval is wide and leans on a normal
// distribution that so few values cannot show.
const fewClusters = 5

// meanOf is a scorer's mean with its interval, of n values from so many
// clusters; 0 clusters: the values stand alone.
func meanOf(v newel.ValueSummary, clusters int) string {
	independent := v.N
	if clusters > 0 {
		independent = min(independent, clusters)
	}
	if independent < fewClusters {
		return number(v.Mean) + " [n too small]"
	}
	return numberRange(v.Mean, v.Interval)
}

func dollars(m newel.Money) string { return m.Dollars() }

// atLeast is dollars rounded down, for a lower end.
func atLeast(m newel.Money) string { return m.AtLeast() }

// span returns a duration of ms milliseconds to two units.
func span(ms int64) string {
	two := func(n int64) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
	s := ms / 1000
	switch {
	case ms < 0:
		return nothing
	case ms < 1000:
		return strconv.FormatInt(ms, 10) + " ms"
	case s < 60:
		return strconv.FormatInt(s, 10) + "." + strconv.FormatInt(ms%1000/100, 10) + " s"
	case s < 3600:
		return strconv.FormatInt(s/60, 10) + " min " + two(s%60) + " s"
	}
	return strconv.FormatInt(s/3600, 10) + " h " + two(s%3600/60) + " min"
}

// instant returns t to the second in UTC.
func instant(t time.Time) string {
	if t.IsZero() {
		return nothing
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// numberOf is number for what may not exist.
func numberOf(p *float64) string {
	if p == nil {
		return nothing
	}
	return number(*p)
}
