package gateway

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"newel"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text string
		want       string // empty: no value
	}{
		{"a float with seventeen digits", "0.00028319999999999994", "0.0002832"},
		{"an exponent", "1.47e-05", "0.0000147"},
		{"a capital exponent", "2E-6", "0.000002"},
		{"six decimals", "0.000360", "0.00036"},
		{"a whole number", "3", "3"},
		{"zero", "0", "0"},
		{"zero with decimals", "0.000000", "0"},
		{"a zero with an exponent", "0e-7", "0"},
		{"half of the last place, to even below", "0.0000000000005", "0"},
		{"half of the last place, to even above", "0.0000000000015", "0.000000000002"},
		{"far below the last place", "1e-39", "0"},
		{"None", "None", ""},
		{"not a number", "NaN", ""},
		{"infinite", "Infinity", ""},
		{"below zero", "-0.5", ""},
		{"nothing", "", ""},
		{"null", "null", ""},
		{"with a currency", "$0.5", ""},
		{"with a comma", "0,5", ""},
		{"an exponent beyond any amount", "1e99999999", ""},
		{"more than money holds", "99999999", ""},
		{"two points", "0.0.1", ""},
		{"two signs", "--1", ""},
		{"a word of digits", "0x10", ""},
		{"a hundred digits", "0.1111111111111111111111111111111111111111111111111111111111111111", ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if m := amount(tc.text); m != nil {
				got = m.String()
			}
			if got != tc.want {
				t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestTheShortWayToAnAmountIsTheLongOne(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	short := 0
	for range 50_000 {
		text := fmt.Sprintf("%.*f", rng.IntN(20), rng.Float64()*float64(rng.IntN(1000)))
		if rng.IntN(2) == 0 {
			text = fmt.Sprintf("%.*e", rng.IntN(18), rng.Float64()*1e-6)
		}
		got, ok := smallAmount(text)
		if !ok {
			continue
		}
		short++
		if want := halfEven(text); got != want {
			t.Fatalf("%s: %d, want %d", text, got, want)
		}
	}
	if short < 30_000 {
		t.Errorf("only %d of 50,000 by the short way", short)
	}
}

// halfEven is the amount by way of fractions.
func halfEven(text string) newel.Money {
	r, _ := new(big.Rat).SetString(text)
	r.Mul(r, big.NewRat(int64(newel.Dollar), 1))
	quotient, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(r.Denom()) {
	case 1:
		quotient.Add(quotient, big.NewInt(1))
	case 0:
		quotient.Add(quotient, new(big.Int).And(quotient, big.NewInt(1)))
	}
	return newel.Money(quotient.Int64())
}
