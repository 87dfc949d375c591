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
	r, err := steps(text)
	if err != nil {
		return 0, err
	}
	if !r.IsInt() {
		return 0, fmt.Errorf("%q has more than twelve decimals", text)
	}
	return held(r.Num(), text)
}

// ReportedMoney reads a decimal number of dollars as somebody else reported
// it: what is finer than 10⁻¹² dollars is rounded half-even.
func ReportedMoney(text string) (Money, error) {
	r, err := steps(text)
	if err != nil {
		return 0, err
	}
	return held(halfEven(r), text)
}

// steps reads dollars as a number of 10⁻¹² dollars.
func steps(text string) (*big.Rat, error) {
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 64 || len(exponent) > 4 || strings.Trim(text, "0123456789.eE+-") != "" {
		return nil, fmt.Errorf("%q is not an amount in dollars", text)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%q is not an amount in dollars", text)
	}
	return r.Mul(r, new(big.Rat).SetInt64(int64(Dollar))), nil
}

// halfEven rounds to the nearest whole number, and halves to the even one.
func halfEven(r *big.Rat) *big.Int {
	whole, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int)) // rest is never below 0
	half := rest.Lsh(rest, 1).Cmp(r.Denom())
	if half > 0 || half == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}

func held(n *big.Int, text string) (Money, error) {
	if !n.IsInt64() {
		return 0, fmt.Errorf("%q is beyond what money holds (9.2 million dollars)", text)
	}
	return Money(n.Int64()), nil
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

// microDollar is the finest amount that people are shown rounded.
const microDollar = Dollar / 1_000_000

// Dollars returns m as people read it: with a $, rounded to the micro-dollar; what
// is smaller is written in full, so that only nothing reads as "$0".
func (m Money) Dollars() string { return m.shown(microDollar / 2) }

// AtLeast is Dollars rounded down, for a lower end.
func (m Money) AtLeast() string { return m.shown(0) }

// AtMost is Dollars rounded up, for an upper end.
func (m Money) AtMost() string { return m.shown(microDollar - 1) }

func (m Money) shown(half Money) string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	if m >= microDollar && m <= math.MaxInt64-half {
		m += half
		m -= m % microDollar
	}
	text := m.String()
	if dot := strings.IndexByte(text, '.'); dot >= 0 && len(text)-dot == 2 {
		text += "0" // $1.5 reads as a slip
	}
	return sign + "$" + text
}

// MarshalJSON writes m as a JSON number of dollars.
func (m Money) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a JSON number of dollars.
func (m *Money) UnmarshalJSON(b []byte) error {
	v, err := ParseMoney(string(b))
	*m = v
	return err
}
