package newel

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Money is an amount in 10⁻¹² USD.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000_000

// Add returns m + n; an overflow (beyond 9.2 million dollars) is an error.
func (m Money) Add(n Money) (Money, error) {
	if (n > 0 && m > math.MaxInt64-n) || (n < 0 && m < math.MinInt64-n) {
		return 0, fmt.Errorf("add %s and %s: beyond what money holds", m, n)
	}
	return m + n, nil
}

// ParseMoney reads a decimal number of dollars, such as "5", "0.000125" or
// "1.2e-7". More than twelve decimals, unless zero, are an error: an amount is
// never rounded in silence.
func ParseMoney(text string) (Money, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/_xXpP") || len(text) > 64 {
		return 0, fmt.Errorf("%q is not an amount in dollars", text)
	}
	r.Mul(r, new(big.Rat).SetInt64(int64(Dollar)))
	if !r.IsInt() {
		return 0, fmt.Errorf("%q has more than twelve decimals", text)
	}
	if !r.Num().IsInt64() {
		return 0, fmt.Errorf("%q is beyond what money holds (9.2 million dollars)", text)
	}
	return Money(r.Num().Int64()), nil
}

// ReportedMoney reads a decimal number of dollars as somebody else reported
// it: what is finer than 10⁻¹² dollars is rounded half-even.
func ReportedMoney(text string) (Money, error) {
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/_xXpP") || len(text) > 64 {
		return 0, fmt.Errorf("%q is not an amount in dollars", text)
	}
	return ParseMoney(r.FloatString(12))
}

// String returns m in dollars with all its digits and no trailing zeros.
func (m Money) String() string {
	sign, u := "", uint64(m)
	if m < 0 {
		sign, u = "-", uint64(-m)
	}
	whole, frac := u/uint64(Dollar), u%uint64(Dollar)
	if frac == 0 {
		return sign + strconv.FormatUint(whole, 10)
	}
	return sign + strconv.FormatUint(whole, 10) + "." + strings.TrimRight(fmt.Sprintf("%012d", frac), "0")
}

// MarshalJSON writes m as a JSON number of dollars.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a JSON number of dollars.
func (m *Money) UnmarshalJSON(b []byte) error {
	v, err := ParseMoney(string(b))
	*m = v
	return err
}
