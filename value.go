package newel

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Value is a scorer's number, kept as an integer of 10⁻⁹ so that it meets a
// threshold alike on every processor.
type Value int64

// ValueScale is how many Value units make 1.
const ValueScale = 1_000_000_000

// ValueOf rounds f half-even to nine decimals. NaN, infinities and numbers
// beyond ±9.2·10⁹ are errors: a scorer that gives one could not judge.
func ValueOf(f float64) (Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("value %v is not a finite number", f)
	}
	if math.Abs(f) >= 9.2e9 {
		return 0, fmt.Errorf("value %v is out of range (±9.2e9)", f)
	}
	if f == math.Trunc(f) {
		return Value(int64(f) * ValueScale), nil
	}
	return roundExact(f), nil
}

// roundExact rounds by exact arithmetic: f·10⁹ in floating point may land on
// the wrong side of a half.
func roundExact(f float64) Value {
	scaled := new(big.Float).SetPrec(128).SetFloat64(f)
	scaled.Mul(scaled, big.NewFloat(ValueScale))
	whole, _ := scaled.Int64()
	rest, _ := new(big.Float).SetPrec(128).Sub(scaled, new(big.Float).SetInt64(whole)).Float64()
	switch step := int64(math.Copysign(1, rest)); {
	case math.Abs(rest) > 0.5, math.Abs(rest) == 0.5 && whole%2 != 0:
		return Value(whole + step)
	}
	return Value(whole)
}

// Float returns v as a floating-point number.
func (v Value) Float() float64 { return float64(v) / ValueScale }

// String returns v as the shortest decimal.
func (v Value) String() string { return string(v.Append(nil)) }

// Append adds v as the shortest decimal, the form in which it enters digests.
func (v Value) Append(dst []byte) []byte {
	u := uint64(v)
	if v < 0 {
		dst, u = append(dst, '-'), uint64(-v)
	}
	dst = strconv.AppendUint(dst, u/ValueScale, 10)
	frac := u % ValueScale
	if frac == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := uint64(ValueScale / 10); frac > 0; unit /= 10 {
		dst = append(dst, byte('0'+frac/unit))
		frac %= unit
	}
	return dst
}

// MarshalJSON writes v as a JSON number.
func (v Value) MarshalJSON() ([]byte, error) { return v.Append(nil), nil }
