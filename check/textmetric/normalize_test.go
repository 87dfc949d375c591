package textmetric

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSQuADNormalisation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"lower case, no article, no punctuation, single spaces", "  The  Cat, sat on\ta mat. ", "cat sat on mat"},
		{"an article that appears once punctuation is gone is dropped", "t.h.e end", "end"},
		{"an article inside a word stays", "Another theory at anchor", "another theory at anchor"},
		{"words joined by dropped punctuation stay joined", "well-known U.S.A.", "wellknown usa"},
		{"the low line is punctuation", "a_b _the_", "ab"},
		{"typographic marks stay, and bound an article", "“the” x’a’y", "“ ” x’ ’y"},
		{"a combining mark bounds an article as in Python", "a\u0301 b", "\u0301 b"},
		{"the separators U+001C to U+001F are white space", "x\x1cy\x1fz", "x y z"},
		{"the last sigma of a word is the final one", "ΣΟΦΟΣ", "σοφος"},
		{"the dotted capital I keeps its dot", "İ", "i̇"},
		{"only articles leave nothing", "A an THE", ""},
		{"empty stays empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := SQuAD(c.in); got != c.want {
				t.Errorf("SQuAD(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestNormaliserSteps(t *testing.T) {
	t.Parallel()
	all := []string{"whitespace", "articles", "punctuation", "lower", "nfkc"}
	for _, c := range []struct {
		name, lang string
		steps      []string
		in, want   string
	}{
		{"no step changes nothing", "en", nil, " The  Ａ. ", " The  Ａ. "},
		{"nfkc alone", "en", []string{"nfkc"}, "ﬁ Ａ①", "fi A1"},
		{"steps run in their own order, whatever the list", "en", all, "Ｔｈｅ  ﬁrst, “One”", "first one"},
		{"punctuation takes Unicode's too, but no symbols beyond ASCII", "en", []string{"punctuation"}, "“a”—b¿c? 5€ $5", "abc 5€ 5"},
		{"articles go in any case, and leave a space", "en", []string{"articles"}, "The cat", "  cat"},
		{"articles without punctuation", "en", []string{"lower", "articles", "whitespace"}, "The (a) x", "( ) x"},
		{"German", "de", all, "Der Hund und eine Katze", "hund und katze"},
		{"German squad", "de-AT", []string{"squad"}, "Die Antwort: 42.", "antwort 42"},
		{"Spanish", "es", all, "¿El perro y las gatas?", "perro y gatas"},
		{"French with elision", "fr", all, "L'eau, l’air et les arbres", "eau air et arbres"},
		{"French keeps other elisions", "fr", all, "d'un qu'il", "dun quil"},
		{"Italian with elision", "it", all, "Un'ora, l'amico e gli altri", "ora amico e altri"},
		{"Portuguese", "pt", all, "O carro e as casas", "carro e casas"},
		{"Dutch", "nl", all, "De hond en het huis", "hond en huis"},
		{"Chinese has no articles", "zh", all, "这是，一只猫。", "这是一只猫"},
		{"white space alone", "en", []string{"whitespace"}, "\n a\u3000\u00a0b ", "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n, err := NewNormalizer(c.lang, c.steps...)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.String(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := string(n.Append([]byte("the "), c.in)); got != "the "+c.want {
				t.Errorf("appended: got %q, want %q", got, "the "+c.want)
			}
		})
	}
}

func TestNormaliserRefusesUnknownStepsAndSquadAmongOthers(t *testing.T) {
	t.Parallel()
	for _, steps := range [][]string{{"lowercase"}, {""}, {"squad", "lower"}, {"nfkc", "squad"}} {
		if _, err := NewNormalizer("en", steps...); err == nil {
			t.Errorf("%q: no error", steps)
		}
	}
}

func TestASCIINormalisationAllocatesNothingInARoomyBuffer(t *testing.T) {
	n := squad("en")
	room := make([]byte, 0, 1024)
	if got := testing.AllocsPerRun(100, func() { n.Append(room, sample) }); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

// slowSQuAD is the evaluation script, line by line, for ASCII.
func slowSQuAD(s string) string {
	s = strings.ToLower(s)
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) {
			return -1
		}
		return r
	}, s)
	s = regexp.MustCompile(`\b(a|an|the)\b`).ReplaceAllString(s, " ")
	return strings.Join(fields(s), " ")
}

func FuzzNormalizer(f *testing.F) {
	f.Add("The cat's a_b, an’ l'eau İΣ \xff x")
	f.Add("a the\x00an")
	f.Fuzz(func(t *testing.T, s string) {
		got := SQuAD(s)
		if again := SQuAD(got); again != got {
			t.Errorf("not stable: %q, then %q", got, again)
		}
		if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 {
			if want := slowSQuAD(s); got != want {
				t.Errorf("SQuAD(%q) = %q, want %q", s, got, want)
			}
		}
		for _, lang := range []string{"fr", "zh"} {
			n, err := NewNormalizer(lang, "nfkc", "lower", "punctuation", "articles", "whitespace")
			if err != nil {
				t.Fatal(err)
			}
			if out := n.String(s); !slices.Equal(fields(out), strings.Split(out, " ")) && out != "" {
				t.Errorf("white space left in %q", out)
			}
		}
	})
}

const sample = `The "Second World War" (1939-1945) was a global conflict: an estimated 70 million people died, ` +
	`and the map of Europe was redrawn. It began when Germany invaded Poland; a few days later the United ` +
	`Kingdom and France declared war. By the end of it, two new powers had risen, and an iron curtain fell ` +
	`across the continent. The answer to the question is: it ended in 1945, on the 2nd of September, in Tokyo Bay.`

func BenchmarkSQuAD(b *testing.B) {
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		SQuAD(sample)
	}
}

func BenchmarkSQuADOfAccentedText(b *testing.B) {
	s := strings.ReplaceAll(sample, "e", "é")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		SQuAD(s)
	}
}

func BenchmarkContains(b *testing.B) {
	text, needles := SQuAD(sample), []string{"september 3 1945", "2nd of september"}
	for b.Loop() {
		Contains(text, needles, false)
	}
}

func BenchmarkTokenF1(b *testing.B) {
	text, refs := SQuAD(sample), []string{"september 3 1945", "2nd of september"}
	for b.Loop() {
		TokenF1(text, refs, "en")
	}
}
