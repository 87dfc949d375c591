package newel

import (
	"math/big"
	"testing"
)

func TestWhatOthersReportIsRoundedHalfEven(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       Money
	}{
		{"nothing to round", "0.25", Dollar / 4},
		{"below the half", "0.0000000000004", 0},
		{"half of nothing", "0.0000000000005", 0},
		{"just above it", "0.00000000000050000000000001", 1},
		{"half, down to even", "0.0000000000025", 2},
		{"half, up to even", "0.0000000000015", 2},
		{"half after whole dollars", "607.0385207648885", 607_038_520_764_888},
		{"with an exponent", "25e-13", 2},
		{"half below zero, up to even", "-0.0000000000025", -2},
		{"half below zero, down to even", "-0.0000000000015", -2},
		{"below half below zero", "-0.0000000000004", 0},
		{"far below the last place", "1e-999", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := ReportedMoney(c.text); err != nil || got != c.want {
				t.Errorf("%s: %d, %v, want %d", c.text, got, err, c.want)
			}
		})
	}
	for _, text := range []string{"", "1/3", "0x1p-2", "0b1", "1_000", "inf", "1e99999999", "1e9999", "9223372.0368547758075"} {
		if got, err := ReportedMoney(text); err == nil {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}

// TestRoundingIsExact compares with another way of rounding: the nearest of
// three neighbours, by their distances.
func TestRoundingIsExact(t *testing.T) {
	t.Parallel()
	for n := int64(-60); n <= 60; n++ {
		for _, d := range []int64{1, 2, 3, 4, 7, 10} {
			r := big.NewRat(n, d)
			got := halfEven(r)
			off := new(big.Rat).Sub(r, new(big.Rat).SetInt(got))
			near := off.Abs(off).Cmp(big.NewRat(1, 2))
			if near > 0 || near == 0 && got.Bit(0) == 1 {
				t.Errorf("%d/%d is rounded to %s", n, d, got)
			}
		}
	}
}

func TestAmountsReadAsPeopleNeedThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		m                        Money
		nearest, atLeast, atMost string
	}{
		{0, "$0", "$0", "$0"},
		{1, "$0.000000000001", "$0.000000000001", "$0.000000000001"},
		{1_500_000, "$0.000002", "$0.000001", "$0.000002"},
		{1_400_000, "$0.000001", "$0.000001", "$0.000002"},
		{2_000_000, "$0.000002", "$0.000002", "$0.000002"},
		{3 * Dollar / 2, "$1.50", "$1.50", "$1.50"},
		{-Dollar, "-$1", "-$1", "-$1"},
	} {
		if a, b, c := tt.m.Dollars(), tt.m.AtLeast(), tt.m.AtMost(); a != tt.nearest || b != tt.atLeast || c != tt.atMost {
			t.Errorf("%d: %s, at least %s, at most %s; want %s, %s, %s", tt.m, a, b, c, tt.nearest, tt.atLeast, tt.atMost)
		}
	}
}
