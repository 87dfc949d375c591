package textmetric

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBLEUTokenizers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tokenizer, in, want string }{
		{"13a sets marks apart, but not within numbers", "13a", "Hi, it's 3.14 (or 1,000)!", "Hi|,|it's|3.14|(|or|1,000|)|!"},
		{"13a sees a run of stops two by two", "13a", "wait... 5.", "wait|.|.|.|5|."},
		{"13a parts a dash after a digit only", "13a", "1999-2000 well-known", "1999|-|2000|well-known"},
		{"13a reads entities and joins broken words", "13a", "&quot;A&amp;lt;B&quot; foo-\nbar <skipped>", `"|A|<|B|"|foobar`},
		{"none splits on white space", "none", " a,  b\u00a0c ", "a,|b|c"},
		{"char gives every character", "char", "a b北", "a|b|北"},
		{"intl knows Unicode marks and symbols", "intl", "«Hé» 5€ 3.5, c'est 1999.", "«|Hé|»|5|€|3.5|,|c|'|est|1999."},
		{"zh parts characters, the rest as 13a", "zh", "我有iPhone, 3.5寸。", "我|有|iPhone|,|3.5|寸|。"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(bleuTokens(c.tokenizer, c.in), "|"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestBLEUCountsAddUpOverSegments(t *testing.T) {
	t.Parallel()
	texts := []string{"the cat sat on the mat today", "a dog barked at me"}
	refs := [][]string{{"the cat sat on a mat today"}, {"a dog barked at him", "one dog barked at me"}}
	whole, err := BLEU{}.Corpus(texts, refs)
	if err != nil {
		t.Fatal(err)
	}
	var sum BLEUStats
	for i := range texts {
		s, err := BLEU{}.Stats(texts[i], refs[i])
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(s)
	}
	parts, err := BLEU{}.Score(sum)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, parts); d != "" {
		t.Error(d)
	}
}

func TestOptionsThatMakeNoSenseAreErrors(t *testing.T) {
	t.Parallel()
	for _, b := range []BLEU{{Tokenize: "mecab"}, {Smooth: "laplace"}, {MaxOrder: -1}, {MaxOrder: 17}, {SmoothValue: -1}, {SmoothValue: math.NaN()}} {
		if _, err := b.Sentence("a", []string{"a"}); err == nil {
			t.Errorf("%+v: no error", b)
		}
	}
	for _, c := range []ChrF{{CharOrder: -1}, {WordOrder: -1}, {CharOrder: 17}, {Beta: -1}, {Beta: math.Inf(1)}} {
		if _, err := c.Sentence("a", []string{"a"}); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	if _, err := (BLEU{}).Sentence("a", nil); err == nil {
		t.Error("bleu without a reference: no error")
	}
	if _, err := (ChrF{}).Corpus([]string{"a"}, nil); err == nil {
		t.Error("chrf without references: no error")
	}
	if _, err := (BLEU{MaxOrder: 2}).Score(BLEUStats{Correct: []int{1}, Total: []int{1}}); err == nil {
		t.Error("bleu with counts of other orders: no error")
	}
	if _, err := (ChrF{}).Score(ChrFStats{Hyp: []int{1}, Ref: []int{1}, Match: []int{1}}); err == nil {
		t.Error("chrf with counts of other orders: no error")
	}
}

func TestChrFPlusPlus(t *testing.T) {
	t.Parallel()
	got, err := ChrF{WordOrder: 2}.Sentence("the cat (sat) here.", []string{"a dog", "the cat (sat) here!"})
	if err != nil {
		t.Fatal(err)
	}
	// Computed with sacrebleu 2.6.0, CHRF(word_order=2).
	if want := 89.76965742590741; math.Abs(got-want) > 1e-9 {
		t.Errorf("got %v, want %v", got, want)
	}
	if edges := edgeTokens(`(hi) "x' y . é! ab`); !cmp.Equal(edges, []string{"(hi", ")", `"x`, "'", "y", ".", "é", "!", "ab"}) {
		t.Errorf("words: %q", edges)
	}
}

func TestROUGEBeyondEnglish(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, text, ref string
		want                  PRF
	}{
		{"English knows a to z only, as rouge_score", "", "el niño", "el nino", PRF{1.0 / 3, 0.5, 0.4}},
		{"Spanish keeps its letters", "es", "El niño come", "el niño", PRF{2.0 / 3, 1, 0.8}},
		{"Chinese counts characters", "zh", "北京，大学", "北京", PRF{0.5, 1, 2.0 / 3}},
		{"Chinese under English rules has no token", "en", "北京", "北京", PRF{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := ROUGE{Language: c.lang}
			if got := r.N(1, c.text, []string{c.ref}); !near(got, c.want, 1e-12) {
				t.Errorf("ROUGE-1: got %+v, want %+v", got, c.want)
			}
			if got, err := r.L(c.text, []string{c.ref}); err != nil || !near(got, c.want, 1e-12) {
				t.Errorf("ROUGE-L: got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

func TestROUGETakesTheBestReferenceAndRefusesWhatIsTooLong(t *testing.T) {
	t.Parallel()
	if got := (ROUGE{}).N(2, "a b c", []string{"x", "a b", "b c"}); !near(got, PRF{0.5, 1, 2.0 / 3}, 1e-12) {
		t.Errorf("got %+v", got)
	}
	if got := (ROUGE{}).N(0, "a", []string{"a"}); got != (PRF{}) {
		t.Errorf("ROUGE-0: %+v", got)
	}
	long := strings.Repeat("a b ", 4000)
	if _, err := (ROUGE{}).Lsum(long, []string{long}); !errors.Is(err, ErrTooLong) {
		t.Errorf("error %v, want ErrTooLong", err)
	}
	if got, err := (ROUGE{}).L(long, []string{long}); err != nil || got != (PRF{1, 1, 1}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPorterStems(t *testing.T) {
	t.Parallel()
	// Examples from Porter 1980; those NLTK changes are marked.
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "caress": "caress", "cats": "cat", "feed": "feed", "agreed": "agre",
		"plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat",
		"troubled": "troubl", "sized": "size", "hopping": "hop", "falling": "fall", "hissing": "hiss", "failing": "fail",
		"filing": "file", "happy": "happi", "relational": "relat", "conditional": "condit", "rational": "ration",
		"digitizer": "digit", "radically": "radic", "vietnamization": "vietnam", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "sensibility": "sensibl", "triplicate": "triplic",
		"formative": "form", "formalize": "formal", "electrical": "electr", "goodness": "good", "revival": "reviv",
		"allowance": "allow", "replacement": "replac", "adoption": "adopt", "probate": "probat", "rate": "rate",
		"cease": "ceas", "controlling": "control", "rolling": "roll", "a": "a", "": "", "2nd": "2nd",
		"dies": "die", "died": "die", "flies": "fli", "enjoy": "enjoy", "fly": "fli", "geology": "geolog", // NLTK's
		"dying": "die", "skies": "sky", "news": "news", "hopefully": "hope", "geologi": "geolog", // NLTK's
	} {
		if got := Porter(word); got != want {
			t.Errorf("Porter(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestRetrievalMeasures(t *testing.T) {
	t.Parallel()
	graded := map[string]float64{"a": 3, "b": 2, "c": 1, "no": 0, "bad": -1}
	for _, c := range []struct {
		name                            string
		ids                             []string
		gains                           map[string]float64
		k                               int
		recall, precision, rr, ap, ndcg float64
	}{
		{"the best order", []string{"a", "b", "c"}, graded, 0, 1, 1, 1, 1, 1},
		{"nothing found", []string{"x", "no", "bad"}, graded, 0, 0, 0, 0, 0, 0},
		{"nothing ranked", nil, graded, 3, 0, 0, 0, 0, 0},
		{"one of two, in second place", []string{"x", "a"}, Relevant("a", "b"), 0, 0.5, 0.5, 0.5, 0.25,
			(1 / math.Log2(3)) / (1 + 1/math.Log2(3))},
		{"places that are not filled are misses", []string{"a"}, Relevant("a"), 4, 1, 0.25, 1, 1, 1},
		{"beyond k does not count", []string{"x", "y", "a"}, Relevant("a"), 2, 0, 0, 0, 0, 0},
		{"a repeated id counts once", []string{"a", "a", "b"}, Relevant("a", "b"), 0, 1, 2.0 / 3, 1, (1 + 2.0/3) / 2,
			(1 + 0.5) / (1 + 1/math.Log2(3))},
		{"graded, reversed", []string{"c", "b", "a"}, graded, 3, 1, 1, 1, 1,
			(1 + 2/math.Log2(3) + 1.5) / (3 + 2/math.Log2(3) + 0.5)},
		{"graded, first two", []string{"b", "x", "a"}, graded, 2, 1.0 / 3, 0.5, 1, 1.0 / 3, 2 / (3 + 2/math.Log2(3))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := Ranking{IDs: c.ids, Gains: c.gains}
			for _, m := range []struct {
				name    string
				measure func(int) (float64, bool)
				want    float64
			}{
				{"recall", r.RecallAt, c.recall}, {"precision", r.PrecisionAt, c.precision},
				{"reciprocal rank", r.ReciprocalRank, c.rr}, {"average precision", r.AveragePrecision, c.ap}, {"nDCG", r.NDCG, c.ndcg},
			} {
				if got, ok := m.measure(c.k); !ok || math.Abs(got-m.want) > 1e-14 {
					t.Errorf("%s = %v, %v; want %v", m.name, got, ok, m.want)
				}
				if _, ok := (Ranking{IDs: c.ids}).RecallAt(c.k); ok {
					t.Error("recall of nothing relevant is defined")
				}
			}
		})
	}
}

func TestLogarithmAndExponentialAreCloseToTheMathPackage(t *testing.T) {
	t.Parallel()
	for x := 1e-300; x < 1e300; x *= 1.37 {
		if got, want := exactLog(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("log %v = %v, want %v", x, got, want)
		}
	}
	for x := -700.0; x < 700; x += 0.317 {
		if got, want := exactExp(x), math.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Fatalf("exp %v = %v, want %v", x, got, want)
		}
	}
	if exactLog(1) != 0 || exactLog(2)/math.Ln2 != 1 || exactExp(0) != 1 || exactExp(-1e10) != 0 || !math.IsInf(exactExp(1e3), 1) {
		t.Error("a plain value is not exact")
	}
}

// The bits of these values are the same on every architecture.
func TestScoresHaveTheSameBitsEverywhere(t *testing.T) {
	t.Parallel()
	refs := []string{"the quick brown fox jumped over a lazy dog", "a fast fox leapt over the dog"}
	b, err := BLEU{}.Sentence("the quick fox jumps over the lazy dog", refs)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ChrF{WordOrder: 2}.Sentence("the quick fox jumps over the lazy dog", refs)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := Ranking{IDs: []string{"c", "x", "a", "b"}, Gains: map[string]float64{"a": 3, "b": 2.5, "c": 0.1}}.NDCG(0)
	got := [3]uint64{math.Float64bits(b.Score), math.Float64bits(c), math.Float64bits(n)}
	sameBits := [3]uint64{0x4033215151b23fdd, 0x4049698446b2d582, 0x3fe282b0a59a4ee0}
	if got != sameBits {
		t.Errorf("%#x (%v, %v, %v), want %#x", got, b.Score, c, n, sameBits)
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang, in                 string
		chars, words, sentences, lines int
	}{
		{"nothing", "en", "", 0, 0, 0, 0},
		{"English", "en", "It's well-known. Is it? Yes, 3.5 times!", 39, 8, 3, 1},
		{"marks alone are no word and no sentence", "en", "... !!! ---", 11, 0, 0, 1},
		{"lines of all kinds", "en", "a\r\nb\n\nc\rd\n", 9, 4, 4, 5},
		{"an emoji family and an accent are one character each", "en", "👨‍👩‍👧e\u0301", 2, 1, 1, 1},
		{"Chinese counts characters as words", "zh", "我有iPhone15。你呢？", 14, 5, 2, 1},
		{"Japanese katakana too", "ja", "コーヒー。", 5, 4, 1, 1},
		{"Thai too, with its marks", "th", "ที่นี่", 2, 2, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := [4]int{Chars(c.in), Words(c.in, c.lang), Sentences(c.in), Lines(c.in)}
			if want := [4]int{c.chars, c.words, c.sentences, c.lines}; got != want {
				t.Errorf("characters, words, sentences, lines: got %v, want %v", got, want)
			}
		})
	}
}
