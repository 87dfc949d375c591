package textmetric

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func values(found []Number) []float64 {
	var out []float64
	for _, n := range found {
		out = append(out, n.Value)
	}
	return out
}

func TestFindNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, in string
		want           []float64
	}{
		{"none", "en", "no numbers, e.g. x-ray.", nil},
		{"thousands and decimals in English", "en", "It cost 1,234.56 or 1234.56, not 12.", []float64{1234.56, 1234.56, 12}},
		{"thousands and decimals in German", "de", "1.234,56 und 1234,56, nicht 12.", []float64{1234.56, 1234.56, 12}},
		{"three decimals or thousands: the language decides", "en", "1.234 and 1,234", []float64{1.234, 1234}},
		{"the same in German", "de", "1.234 und 1,234", []float64{1234, 1.234}},
		{"spaces of all kinds in French", "fr", "1 234,56 et 1\u202f234 et 1\u00a0234\u00a0567,5", []float64{1234.56, 1234, 1234567.5}},
		{"a plain space groups nothing in English", "en", "room 12 345", []float64{12, 345}},
		{"a year before a number is no group", "fr", "en 2020 300 cas", []float64{2020, 300}},
		{"Swiss apostrophes", "de-CH", "1'234.5 und 1’234’567", []float64{1234.5, 1234567}},
		{"the other way where it can only be that", "en", "1.234,56 and 1.234.567", []float64{1234.56, 1234567}},
		{"a point with other than three decimals in German", "de", "0.5 und 3.14159 und 0.125", []float64{0.5, 3.14159, 0.125}},
		{"Mexico writes as English does", "es-MX", "1,234.5", []float64{1234.5}},
		{"India groups by two", "en-IN", "12,34,567.5", []float64{1234567.5}},
		{"a list without spaces", "en", "[1,2,3] 3.5,4.5", []float64{1, 2, 3, 3.5, 4.5}},
		{"a list with spaces in German", "de", "89, 71, 92, 100", []float64{89, 71, 92, 100}},
		{"marks that fit no reading part numbers", "de", "1.234.56 1,5,5 1.2,3", []float64{1, 234, 56, 1, 5, 5, 1, 2.3}},
		{"a date, a time, an address", "en", "2024-01-02 10:30 192.168.0.1", []float64{2024, 1, 2, 10, 30, 192, 168, 0, 1}},
		{"a German date", "de", "12.03.2020", []float64{12, 3, 2020}},
		{"signs", "en", "-5, +3, −2.5, (-1), x = -4", []float64{-5, 3, -2.5, -1, -4}},
		{"no signs: ranges, sums, words", "en", "5-3 10–20 GPT-4 4%-5% --7 a)-2", []float64{5, 3, 10, 20, 4, 4, 5, 7, 2}},
		{"currency signs before and after", "en", "$5 -$6 $-7 8€ US$9", []float64{5, -6, -7, 8, 9}},
		{"exponents", "en", "1.5e3 2E-2 3×10^4 4 x 10^-1 5e 6ex", []float64{1500, 0.02, 30000, 0.4, 5, 6}},
		{"out of range", "en", "1e999 2", []float64{2}},
		{"digits of a word are no number", "en", "GPT4 v1.2 H2O a_1 B12", nil},
		{"letters may follow", "en", "5km 3rd 1990s 2x", []float64{5, 3, 1990, 2}},
		{"a leading point", "en", "about .5 and -.25 but not x.5", []float64{0.5, -0.25, 5}},
		{"a full stop ends a number", "en", "It is 12. So 3.", []float64{12, 3}},
		{"Chinese, without spaces", "zh", "共有18个，第3，价格￥1,234.5元", []float64{18, 3, 1234.5}},
		{"a Chinese comma is no mark within a number", "zh", "选3，500人", []float64{3, 500}},
		{"full-width digits", "ja", "１，２３４．５と－６と７％", []float64{1234.5, -6, 7}},
		{"digits of other scripts", "en", "٣٫٥ १२ ๔๒", []float64{3.5, 12, 42}},
		{"Korean syllables before digits", "ko", "총액은5000원", []float64{5000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, values(FindNumbers(c.in, c.lang))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestANumberTellsWhereItStandsAndWhatFollows(t *testing.T) {
	t.Parallel()
	units := map[string]float64{"km": 1000, "m": 1, "k": 1000, "USD": 1, "%": 0.01, "万": 10000}
	for _, c := range []struct {
		name, in string
		want     []Number
	}{
		{"per cent stays as written", "up 12.5 % now", []Number{{Value: 12.5, Percent: true, Text: "12.5 %", Start: 3, End: 9}}},
		{"a unit with and without a space", "5 km, 3m", []Number{
			{Value: 5000, Unit: "km", Text: "5 km", Start: 0, End: 4}, {Value: 3, Unit: "m", Text: "3m", Start: 6, End: 8}}},
		{"a unit is not the beginning of a word", "5 men", []Number{{Value: 5, Text: "5", Start: 0, End: 1}}},
		{"a unit before", "-USD 5", []Number{{Value: -5, Unit: "USD", Text: "-USD 5", Start: 0, End: 6}}},
		{"a unit belongs to one number", "5 km 30", []Number{
			{Value: 5000, Unit: "km", Text: "5 km", Start: 0, End: 4}, {Value: 30, Text: "30", Start: 5, End: 7}}},
		{"a Chinese multiplier", "约3.5万人", []Number{{Value: 35000, Unit: "万", Text: "3.5万", Start: 3, End: 9}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, NumberReader{Units: units}.Find(c.in)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestGivenMarksAreTheOnlyOnes(t *testing.T) {
	t.Parallel()
	r := NumberReader{Language: "en", Decimal: ",", Group: "."}
	if d := cmp.Diff([]float64{1234.5, 1.5, 1, 5, 1, 234}, values(r.Find("1.234,5 1,5 1.5 1'234"))); d != "" {
		t.Error(d)
	}
	r = NumberReader{Decimal: "."}
	if d := cmp.Diff([]float64{1, 234.5}, values(r.Find("1,234.5"))); d != "" {
		t.Error(d)
	}
	r = NumberReader{Group: ","}
	if d := cmp.Diff([]float64{1234, 5}, values(r.Find("1,234.5"))); d != "" {
		t.Error(d)
	}
}

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, lang string
		want     float64
	}{
		{" 1,234.50 ", "en", 1234.5}, {"$ 5", "en", 5}, {"5 €", "de", 5}, {"-$5", "en", -5}, {"$-5", "en", -5}, {"2,125", "en", 2125},
		{"2,125", "de", 2.125}, {"50%", "en", 50}, {"1e-3", "en", 0.001}, {"0", "en", 0}, {"007", "en", 7},
		{"9007199254740993", "en", 9007199254740992},
	} {
		if got, err := ParseNumber(c.in, c.lang); err != nil || got.Value != c.want {
			t.Errorf("%q in %s: %v, %v; want %v", c.in, c.lang, got.Value, err, c.want)
		}
	}
	for _, in := range []string{"", "x", "5 km", "1 2", "1,5", "5.", "about 5", "1e999", "1.2.3", "--5", "NaN", "Inf", "0x10", strings.Repeat("é", 99)} {
		if got, err := ParseNumber(in, "en"); err == nil {
			t.Errorf("%q: %v, want an error", in, got.Value)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct {
		name                string
		got, want, abs, rel float64
		ok                  bool
	}{
		{"equal", 5, 5, 0, 0, true},
		{"off without tolerance", 5, 5.0000001, 0, 0, false},
		{"at the absolute tolerance, rounding forgiven", 0.31, 0.3, 0.01, 0, true},
		{"just past it", 0.3101, 0.3, 0.01, 0, false},
		{"at the relative tolerance", 101, 100, 0, 0.01, true},
		{"relative to what is wanted", 100, 101.01, 0, 0.01, true},
		{"past both", 102, 100, 1, 0.01, false},
		{"one of the two is enough", 102, 100, 2, 0.001, true},
		{"a negative tolerance is none", 5, 6, -9, -9, false},
		{"relative to nothing", 1e-9, 0, 0, 0.5, false},
		{"negative numbers", -101, -100, 0, 0.01, true},
		{"infinity is close to itself only", inf, inf, 0, 0, true},
		{"infinity is far from a number", inf, 5, inf, 0, false},
		{"NaN is close to nothing", math.NaN(), math.NaN(), 1, 1, false},
	} {
		if got := Within(c.got, c.want, c.abs, c.rel); got != c.ok {
			t.Errorf("%s: %v, want %v", c.name, got, c.ok)
		}
	}
}

func FuzzFindNumbers(f *testing.F) {
	for _, s := range []string{"1,234.56 -5% 3×10^4 $7", "１，２ −３ 万 1'234’5 .5", "1 234 567,8e-3km USD 5\xff", "٣٫٥٬٠٠٠"} {
		f.Add(s, "en")
		f.Add(s, "fr")
	}
	f.Fuzz(func(t *testing.T, s, lang string) {
		for _, r := range []NumberReader{{Language: lang}, {Decimal: ",", Group: ". "}, {Language: lang, Units: map[string]float64{"km": 1e3, "USD": 1, "万": 1e4, "": 7}}} {
			end := 0
			for _, n := range r.Find(s) {
				if n.Start < end || n.End <= n.Start || n.Text != s[n.Start:n.End] {
					t.Fatalf("%q: %+v after %d", s, n, end)
				}
				if math.IsNaN(n.Value) || math.IsInf(n.Value, 0) {
					t.Fatalf("%q: %+v", s, n)
				}
				end = n.End
			}
			if n, err := r.Parse(s); err == nil && !strings.Contains(s, n.Text) {
				t.Fatalf("%q: %+v", s, n)
			}
		}
	})
}

func BenchmarkFindNumbers(b *testing.B) {
	for b.Loop() {
		FindNumbers(sample, "en")
	}
}
