package textmetric

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

type vector struct {
	ID         string
	Metric     string
	Hypotheses []string
	Streams    [][]*string `json:"reference_streams"`
	Options    struct {
		Tokenize       string
		SmoothMethod   string   `json:"smooth_method"`
		SmoothValue    *float64 `json:"smooth_value"`
		MaxNgramOrder  int      `json:"max_ngram_order"`
		EffectiveOrder bool     `json:"effective_order"`
		Lowercase      bool
		CharOrder      int `json:"char_order"`
		WordOrder      int `json:"word_order"`
		Beta           float64
		EpsSmoothing   bool `json:"eps_smoothing"`
		Stemmer        bool
	}
	Score, Precision, Recall, F1, Tolerance float64
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []vector
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// refs turns reference streams into the references of each text.
func (v vector) refs() [][]string {
	out := make([][]string, len(v.Hypotheses))
	for _, stream := range v.Streams {
		for i := range out {
			if stream[i] != nil {
				out[i] = append(out[i], *stream[i])
			}
		}
	}
	return out
}

func TestPublishedValuesOfBLEUChrFAndROUGE(t *testing.T) {
	t.Parallel()
	vectors := readVectors(t)
	if len(vectors) != 69 {
		t.Fatalf("%d vectors, want 69", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(v.Metric, "rouge") {
				got, err := v.rouge()
				want := PRF{v.Precision, v.Recall, v.F1}
				if err != nil || !near(got, want, v.Tolerance) {
					t.Errorf("%s = %+v, %v; want %+v", v.Metric, got, err, want)
				}
				return
			}
			got, err := v.score()
			if err != nil || math.Abs(got-v.Score) > v.Tolerance {
				t.Errorf("%s = %v, %v; want %v within %v", v.Metric, got, err, v.Score, v.Tolerance)
			}
		})
	}
}

func near(a, b PRF, tolerance float64) bool {
	return math.Abs(a.Precision-b.Precision) <= tolerance && math.Abs(a.Recall-b.Recall) <= tolerance &&
		math.Abs(a.F1-b.F1) <= tolerance
}

func (v vector) rouge() (PRF, error) {
	r := ROUGE{Stemmer: v.Options.Stemmer}
	text, refs := v.Hypotheses[0], v.refs()[0]
	switch v.Metric {
	case "rouge1":
		return r.N(1, text, refs), nil
	case "rouge2":
		return r.N(2, text, refs), nil
	case "rougeL":
		return r.L(text, refs)
	}
	return r.Lsum(text, refs)
}

func (v vector) score() (float64, error) {
	b := BLEU{
		Tokenize: v.Options.Tokenize, Smooth: v.Options.SmoothMethod, MaxOrder: v.Options.MaxNgramOrder,
		EffectiveOrder: v.Options.EffectiveOrder, Lowercase: v.Options.Lowercase,
	}
	if v.Options.SmoothValue != nil {
		b.SmoothValue = *v.Options.SmoothValue
	}
	c := ChrF{
		CharOrder: v.Options.CharOrder, WordOrder: v.Options.WordOrder, Beta: v.Options.Beta,
		EpsSmoothing: v.Options.EpsSmoothing,
	}
	switch v.Metric {
	case "bleu_corpus":
		s, err := b.Corpus(v.Hypotheses, v.refs())
		return s.Score, err
	case "bleu_sentence":
		s, err := b.Sentence(v.Hypotheses[0], v.refs()[0])
		return s.Score, err
	case "chrf_corpus":
		return c.Corpus(v.Hypotheses, v.refs())
	}
	return c.Sentence(v.Hypotheses[0], v.refs()[0])
}
