package textmetric

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// slowDistance is the textbook table.
func slowDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0]++
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

func distance(t *testing.T, a, b string, limit int) int {
	t.Helper()
	d, err := Levenshtein(a, b, limit)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestLevenshtein(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b  string
		limit, want int
	}{
		{"kitten and sitting", "kitten", "sitting", -1, 3},
		{"equal", "same", "same", -1, 0},
		{"to and from nothing", "", "abc", -1, 3},
		{"code points, not bytes", "größe", "grösse", -1, 2},
		{"Chinese", "北京大学", "北大", -1, 2},
		{"a limit that fits", "kitten", "sitting", 3, 3},
		{"a limit that is too small", "kitten", "sitting", 2, 3},
		{"a limit of nothing", "kitten", "sitting", 0, 1},
		{"lengths alone pass the limit", "a", "abcdefgh", 3, 4},
		{"across blocks of 64", strings.Repeat("ab", 100), strings.Repeat("ba", 100), -1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := distance(t, c.a, c.b, c.limit); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// randomText is n letters of a small alphabet, so that much matches.
func randomText(r *rand.Rand, n int) string {
	letters := []rune("abcdé北")
	out := make([]rune, n)
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return string(out)
}

// mutated changes up to n letters of s.
func mutated(r *rand.Rand, s string, n int) string {
	x := []rune(s)
	for range r.IntN(n + 1) {
		if len(x) == 0 {
			break
		}
		i := r.IntN(len(x))
		switch r.IntN(3) {
		case 0:
			x = append(x[:i], x[i+1:]...)
		case 1:
			x[i] = 'z'
		default:
			x = append(x[:i], append([]rune{'y'}, x[i:]...)...)
		}
	}
	return string(x)
}

func TestLevenshteinAgreesWithTheTableAtEveryLengthAndLimit(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		a := randomText(r, r.IntN(300))
		b := mutated(r, a, 40)
		if r.IntN(3) == 0 {
			b = randomText(r, r.IntN(300))
		}
		want := slowDistance(a, b)
		if got := distance(t, a, b, -1); got != want {
			t.Fatalf("%q, %q: got %d, want %d", a, b, got, want)
		}
		limit := r.IntN(120)
		if got := distance(t, a, b, limit); got != min(want, limit+1) {
			t.Fatalf("%q, %q: limit %d: got %d, want %d", a, b, limit, got, min(want, limit+1))
		}
	}
}

func TestLevenshteinIsAMetric(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		a, b, c := randomText(r, r.IntN(12)), randomText(r, r.IntN(12)), randomText(r, r.IntN(12))
		ab, ba := distance(t, a, b, -1), distance(t, b, a, -1)
		if ab != ba || (ab == 0) != (a == b) {
			t.Fatalf("%q, %q: %d and %d", a, b, ab, ba)
		}
		if distance(t, a, c, -1) > ab+distance(t, b, c, -1) {
			t.Fatalf("%q, %q, %q: the way round is shorter", a, b, c)
		}
	}
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{{"", "", 1}, {"abc", "abc", 1}, {"abc", "xyz", 0}, {"abcd", "abxd", 0.75}, {"", "x", 0}} {
		got, err := Similarity(c.a, c.b)
		if err != nil || got != c.want {
			t.Errorf("%q, %q: %v, %v; want %v", c.a, c.b, got, err, c.want)
		}
		for _, least := range []float64{0, 0.2, 0.75, 0.76, 1, 1.5} {
			if ok, err := SimilarityAtLeast(c.a, c.b, least); err != nil || ok != (got >= least) {
				t.Errorf("%q, %q at least %v: %v, %v", c.a, c.b, least, ok, err)
			}
		}
	}
}

func TestLongTextsAreRefusedUnlessALimitMakesThemCheap(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("ab", 200_000), strings.Repeat("cd", 200_000)
	if _, err := Levenshtein(a, b, -1); !errors.Is(err, ErrTooLong) {
		t.Errorf("error %v, want ErrTooLong", err)
	}
	if got := distance(t, a, "x"+a+"y", 10); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
	if got := distance(t, a, a[:99_999]+"x"+a[100_001:], -1); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}

func FuzzLevenshtein(f *testing.F) {
	f.Add("kitten", "sitting", 2)
	f.Add("\xff\xfe北", "北\xff", -1)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if len(a) > 400 || len(b) > 400 {
			return
		}
		want := slowDistance(a, b)
		if limit >= 0 && want > limit {
			want = limit + 1
		}
		if got := distance(t, a, b, limit); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}

func benchmarkPair(changes int) (string, string) {
	r := rand.New(rand.NewPCG(5, 6))
	a := sample[:400]
	return a, mutated(r, strings.Repeat(a, 1), changes) + "."
}

func BenchmarkLevenshteinEqual(b *testing.B) {
	x, y := sample[:400], strings.Clone(sample[:400])
	for b.Loop() {
		Levenshtein(x, y, -1)
	}
}

func BenchmarkLevenshteinNear(b *testing.B) {
	x, y := benchmarkPair(20)
	for b.Loop() {
		Levenshtein(x, y, -1)
	}
}

func BenchmarkLevenshteinFar(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := randomText(r, 400), randomText(r, 400)
	for b.Loop() {
		Levenshtein(x, y, -1)
	}
}

func BenchmarkLevenshteinFarWithLimit20(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := randomText(r, 400), randomText(r, 400)
	for b.Loop() {
		Levenshtein(x, y, 20)
	}
}
