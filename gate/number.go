package gate

import (
	"math"
	"strconv"
	"strings"

	"newel/stat"
)

// maxShown is how many characters of a name from the suite or the data stand
// in a sentence. The lists of cases hold names whole.
const maxShown = 80

// show returns a name for use in a sentence.
func show(name string) string {
	n := 0
	for at := range name {
		if n == maxShown {
			return name[:at] + "…"
		}
		n++
	}
	return name
}

// plain returns a number as it would be written in a suite.
func plain(f float64) string { return minus(strconv.FormatFloat(f, 'g', -1, 64)) }

// minus puts the sign that people read in place of the hyphen.
func minus(digits string) string { return strings.Replace(digits, "-", "−", 1) }

// percent returns a share as a number of percent, without trailing zeros.
func percent(p float64) string {
	text := strconv.FormatFloat(100*p, 'f', 8, 64)
	return minus(strings.TrimRight(strings.TrimRight(text, "0"), "."))
}

func fixed(f float64, decimals int) string {
	text := strconv.FormatFloat(f, 'f', decimals, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 {
		text = strings.TrimPrefix(text, "-") // never −0.000
	}
	return minus(text)
}

// signed is fixed with a sign for what is above zero.
func signed(f float64, decimals int) string {
	text := fixed(f, decimals)
	if strings.Trim(text, "0.") != "" && f > 0 {
		return "+" + text
	}
	return text
}

// maxDecimals is how many decimals are spent on telling numbers apart.
const maxDecimals = 9

// decimals is how many decimals, least at the fewest, show each number on the
// side of each bar where it is: 98.998 is not printed as 99.0 beside a bar of
// 99.
func decimals(least int, numbers, bars []float64) int {
	for d := least; d < maxDecimals; d++ {
		if apart(d, numbers, bars) {
			return d
		}
	}
	return maxDecimals
}

func apart(d int, numbers, bars []float64) bool {
	scale := math.Pow10(d)
	for _, x := range numbers {
		shown := math.Round(x*scale) / scale
		for _, bar := range bars {
			if (x < bar) != (shown < bar) || (x > bar) != (shown > bar) {
				return false
			}
		}
	}
	return true
}

// rateText returns a share with its interval in percent, such as
// "59.9 % [58.9, 60.8]"; decimals keep the ends on their side of bar, and what
// would look like nothing or all and is not reads <0.1 or >99.9.
func rateText(point float64, i stat.Interval, bar float64) string {
	ends := settle([]float64{100 * i.Low, 100 * i.High}, 100*bar)
	shown := ends
	if !math.IsNaN(point) {
		shown = append(shown, 100*point)
	}
	d := decimals(1, shown, []float64{100 * bar})
	text := "no estimate"
	if !math.IsNaN(point) {
		text = hundredths(100*point, d) + " %"
	}
	return text + " [" + hundredths(ends[0], d) + ", " + hundredths(ends[1], d) + "]"
}

// hundredths is fixed, with one decimal for nothing and for all, and a limit
// for what is nearly so.
func hundredths(f float64, decimals int) string {
	step := math.Pow10(-decimals)
	switch {
	case f == 0 || f == 100:
		decimals = 1
	case f > 0 && f < step/2:
		return "<" + fixed(step, decimals)
	case f < 100 && f > 100-step/2:
		return ">" + fixed(100-step, decimals)
	}
	return fixed(f, decimals)
}

// rangeText returns a number with its interval; a zero point has no sign of
// its own, a difference does.
func rangeText(point float64, i stat.Interval, bar float64, sign bool) string {
	ends := settle([]float64{i.Low, i.High}, bar)
	d := decimals(3, ends, []float64{bar})
	write := fixed
	if sign {
		write = signed
	}
	text := "no estimate"
	if !math.IsNaN(point) {
		text = write(point, d)
	}
	return text + " [" + fixed(ends[0], d) + ", " + fixed(ends[1], d) + "]"
}

// settle puts numbers that meet the bar but for rounding dust onto it.
func settle(numbers []float64, bar float64) []float64 {
	for i, x := range numbers {
		if math.Abs(x-bar) < 1e-10 {
			numbers[i] = bar
		}
	}
	return numbers
}

// count returns n with a comma between thousands.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// counted returns n with its noun.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// number is nil for what does not exist.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func interval(i stat.Interval) *[2]float64 {
	if number(i.Low) == nil || number(i.High) == nil {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}
