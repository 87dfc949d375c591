package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"
)

// subject is a row as the layers below the judge see it, and what is true of
// it.
type subject struct {
	score float64 // the classifier's; below the floor's bar for a row that it settles
	floor float64 // share of the reply's words that stand in the knowledge
	good  bool
}

// population is what runs draw from.
type population struct {
	name     string
	subjects []subject
}

// rate is the truth.
func (p *population) rate() float64 {
	good := 0
	for _, s := range p.subjects {
		if s.good {
			good++
		}
	}
	return float64(good) / float64(len(p.subjects))
}

// What the scripted layers settle: the floor passes replies made of the
// knowledge's words, the classifier what it is sure of.
const (
	floorBar = 0.95
	failBar  = 0.05
	passBar  = 0.90
)

// grounded reads the replies of examples/begin-grounded with people's labels
// for truth. A reply's score comes from three shares: of its words, of its pairs
// of words and of its long words that stand in the knowledge. The weights are
// those of a logistic regression on these very replies (area under the curve
// 0.941).
func grounded(path string) (*population, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	plain, err := zstd.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer plain.Close()
	p := &population{name: "begin-grounded"}
	for in := json.NewDecoder(bufio.NewReader(plain)); ; {
		var line struct {
			Output, Context string
			Labels          struct{ Attribution string }
		}
		if err := in.Decode(&line); err == io.EOF {
			return p, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: row %d: %w", path, len(p.subjects)+1, err)
		}
		s := overlap(words(line.Output), words(line.Context))
		s.good = line.Labels.Attribution == "attributable"
		p.subjects = append(p.subjects, s)
	}
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func overlap(reply, knowledge []string) subject {
	known, pairs := map[string]bool{}, map[[2]string]bool{}
	for i, w := range knowledge {
		known[w] = true
		if i > 0 {
			pairs[[2]string{knowledge[i-1], w}] = true
		}
	}
	var one, two, long share
	for i, w := range reply {
		one.add(known[w])
		if len(w) > 3 {
			long.add(known[w])
		}
		if i > 0 {
			two.add(pairs[[2]string{reply[i-1], w}])
		}
	}
	logit := -8.309 + 8.002*one.of() - 0.839*two.of() + 3.852*long.of()
	return subject{floor: one.of(), score: 1 / (1 + math.Exp(-logit))}
}

// share is hits among all.
type share struct{ hits, all int }

func (s *share) add(hit bool) {
	s.all++
	if hit {
		s.hits++
	}
}

func (s *share) of() float64 { return float64(s.hits) / float64(max(1, s.all)) }

// settled makes a population of n rows of which the classifier settles nine
// tenths, seven ninths of those as pass, and is wrong in a share of both. Of
// the rest, those are good that a fair draw at their score says.
func settled(n int, wrong float64, seed uint64) *population {
	r := rand.New(rand.NewPCG(seed, math.Float64bits(wrong)))
	p := &population{name: fmt.Sprintf("90 %% settled, %g %% wrong", 100*wrong)}
	passes, fails := n*7/10, n*2/10
	for i := range n {
		s := subject{score: failBar + (passBar-failBar)*r.Float64()}
		switch {
		case i < passes:
			s = subject{score: 1, good: i >= int(math.Round(wrong*float64(passes)))}
		case i < passes+fails:
			s = subject{score: 0, good: i-passes < int(math.Round(wrong*float64(fails)))}
		default:
			s.good = r.Float64() < s.score
		}
		p.subjects = append(p.subjects, s)
	}
	return p
}
