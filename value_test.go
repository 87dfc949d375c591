package newel

import (
	"math"
	"testing"
)

func TestValueRoundsHalfEven(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{
		0: "0", 1: "1", -1: "-1", 0.1: "0.1", 1.0 / 3: "0.333333333", -2.0 / 3: "-0.666666667", 1e-10: "0", 6e-10: "0.000000001",
		0.5 / (1 << 29): "0.000000001", 9.1e9: "9100000000", 123.456: "123.456",
		// Exact halves of 10⁻⁹ times powers of two: to the even side.
		0x1p-10: "0.000976562", 3 * 0x1p-10: "0.002929688",
	} {
		got, err := ValueOf(f)
		if err != nil || got.String() != want {
			t.Errorf("%v: got %s, %v; want %s", f, got, err, want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e10} {
		if v, err := ValueOf(f); err == nil {
			t.Errorf("%v gave %s, want an error", f, v)
		}
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"5": "5", "5.00": "5", "0.000000000001": "0.000000000001", "1.2e-7": "0.00000012", "-0.5": "-0.5", "9223372": "9223372"} {
		got, err := ParseMoney(text)
		if err != nil || got.String() != want {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "1/3", "0x10", "1_000", "0.0000000000001", "9300000", "NaN", "Inf"} {
		if m, err := ParseMoney(text); err == nil {
			t.Errorf("%q gave %s, want an error", text, m)
		}
	}
	if got, err := ReportedMoney("0.0000000000015"); err != nil || got != 2 {
		t.Errorf("a finer report: got %d, %v; want 2", got, err)
	}
	if m, err := Money(math.MaxInt64).Add(1); err == nil {
		t.Errorf("an overflow gave %s", m)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	list := []string{"regex", "range", "contains", "json-schema"}
	for word, want := range map[string]string{"regx": "regex", "contians": "contains", "jsonschema": "json-schema", "REGEX": "regex", "zzz": "", "": ""} {
		if got := Nearest(word, list); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
