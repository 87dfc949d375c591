package textmetric

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, in string
		want           []string
	}{
		{"words stand between white space", "en", " one\u3000two\tthree ", []string{"one", "two", "three"}},
		{"Chinese characters stand alone, other runs do not", "zh", "我有iPhone15，3个 ok", []string{"我", "有", "iPhone15，3", "个", "ok"}},
		{"Chinese text under English rules is one word", "en", "我有三个", []string{"我有三个"}},
		{"Japanese kana, with the sound mark", "ja", "コーヒーを2杯", []string{"コ", "ー", "ヒ", "ー", "を", "2", "杯"}},
		{"Thai characters keep their marks", "th", "ที่นี่ ok", []string{"ที่", "นี่", "ok"}},
		{"nothing", "zh", " ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Tokens(c.in, c.lang)
			if len(got) == 0 {
				got = nil
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTokenF1(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		refs       []string
		lang       string
		want       PRF
	}{
		{"equal texts are 1", "two words", []string{"two words"}, "en", PRF{1, 1, 1}},
		{"half of the text, all of the reference", "x y z w", []string{"y w"}, "en", PRF{0.5, 1, 2.0 / 3}},
		{"a repeated word counts as often as both have it", "a a b", []string{"a c"}, "en", PRF{1.0 / 3, 0.5, 0.4}},
		{"the best reference counts", "x y", []string{"q", "x", "x y z"}, "en", PRF{1, 2.0 / 3, 0.8}},
		{"nothing in common is 0", "x", []string{"y"}, "en", PRF{}},
		{"an empty reference is 0, even for an empty text", "", []string{""}, "en", PRF{}},
		{"no reference is 0", "x", nil, "en", PRF{}},
		{"Chinese counts characters", "北京市", []string{"北京"}, "zh", PRF{2.0 / 3, 1, 0.8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := TokenF1(c.text, c.refs, c.lang); !near(got, c.want, 1e-12) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestContainsAndExactMatch(t *testing.T) {
	t.Parallel()
	if !Contains("paris france", []string{"london", "paris"}, false) || Contains("paris", []string{"rome"}, true) {
		t.Error("a needle is found exactly where it occurs")
	}
	if Contains("paris", []string{""}, false) || !Contains("paris", []string{""}, true) {
		t.Error("an empty needle occurs only where it was asked to")
	}
	if !ExactMatch("paris", []string{"rome", "paris"}) || ExactMatch("paris", []string{"pari"}) || ExactMatch("", nil) {
		t.Error("exact match wants one equal reference")
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("我有iPhone15，3个 ok ที่นี่ コーヒー\u0301 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, lang := range []string{"en", "zh"} {
			if got, want := strings.Join(Tokens(s, lang), ""), strings.Join(fields(s), ""); got != want {
				t.Errorf("%s: tokens hold %q, the text %q", lang, got, want)
			}
		}
		for _, name := range []string{Tokenize13a, TokenizeNone, TokenizeChar, TokenizeIntl, TokenizeZh} {
			for _, token := range bleuTokens(name, s) {
				if token == "" || len(fields(token)) != 1 {
					t.Errorf("%s: token %q", name, token)
				}
			}
		}
		for _, r := range []ROUGE{{Stemmer: true}, {Language: "zh"}, {Language: "es"}} {
			p, err := r.Lsum(s, []string{s})
			if err != nil || p != (PRF{}) && p != (PRF{1, 1, 1}) {
				t.Errorf("a text against itself: %+v, %v", p, err)
			}
		}
	})
}

func TestSetsAreCompared(t *testing.T) {
	t.Parallel()
	got := CompareSets([]string{"a", "b", "b", "x"}, []string{"a", "b", "c", "d"})
	want := Overlap{Common: 2, Union: 5, Jaccard: 0.4, Coefficient: 2.0 / 3, PRF: PRF{2.0 / 3, 0.5, 4.0 / 7}}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-15 })
	if d := cmp.Diff(want, got, near); d != "" {
		t.Error(d)
	}
	if got := CompareSets(nil, nil); got.Jaccard != 1 || got.F1 != 1 {
		t.Errorf("two empty sets: %+v", got)
	}
	if got := CompareSets(nil, []string{"a"}); got != (Overlap{Union: 1}) {
		t.Errorf("an empty set against another: %+v", got)
	}
}
