package gateway

import (
	"strconv"
	"strings"

	"newel"
)

// amount reads dollars as a gateway writes them: decimal, with or without an
// exponent. What is finer than 10⁻¹² USD is rounded half-even. Anything else,
// and an amount below zero, is nil.
func amount(text string) *newel.Money {
	if len(text) == 0 || len(text) > 40 || strings.Trim(text, "0123456789.eE+-") != "" {
		return nil
	}
	if m, ok := smallAmount(text); ok {
		return plausible(m)
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 && len(text)-e > 4 {
		return nil // beyond any amount, and dear to read
	}
	m, err := newel.ReportedMoney(text)
	if err != nil || m < 0 {
		return nil
	}
	return plausible(m)
}

// dearest is more than any one call costs: an amount above it is a slip of
// units, or worse, and no amount.
const dearest = 10_000 * newel.Dollar

func plausible(m newel.Money) *newel.Money {
	if m > dearest {
		return nil
	}
	return &m
}

// maxDigits is how many digits a uint64 holds whatever they are.
const maxDigits = 19

// smallAmount reads what nearly all amounts are, in whole numbers and without
// allocating; false: not for it to read.
func smallAmount(text string) (newel.Money, bool) {
	mantissa, shift := text, 12
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		n, err := strconv.Atoi(text[e+1:])
		if err != nil || n < -40 || n > 6 {
			return 0, false
		}
		mantissa, shift = text[:e], shift+n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if len(whole) == 0 || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	if digits == "" {
		return 0, strings.Trim(mantissa, "0.") == ""
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, false
	}
	return scaled(v, shift-len(fraction))
}

// scaled is v × 10^by, rounded half-even; false where it does not fit.
func scaled(v uint64, by int) (newel.Money, bool) {
	for ; by > 0; by-- {
		if v > 1<<63/10 {
			return 0, false
		}
		v *= 10
	}
	if by < -maxDigits {
		return 0, true // below half of the last place, whatever the digits
	}
	unit := uint64(1)
	for ; by < 0; by++ {
		if unit > 1<<63/5 {
			return 0, false
		}
		unit *= 10
	}
	rest := v % unit
	v /= unit
	if rest > unit-rest || rest == unit-rest && v%2 == 1 {
		v++
	}
	return newel.Money(v), v < 1<<63
}
