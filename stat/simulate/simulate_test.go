package simulate

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// limit is how many of draws may be wrong before a cell contradicts an error
// rate of Bar, so rarely that one of all the looks a test takes does so in a
// thousand tests.
func limit(draws, looks int) int {
	budget := 0.001 / float64(looks)
	term, below := math.Pow(1-Bar, float64(draws)), 0.0
	for k := range draws {
		below += term
		if 1-below < budget {
			return k
		}
		term *= float64(draws-k) / float64(k+1) * Bar / (1 - Bar)
	}
	return draws
}

func TestErrorRatesAtTheBarStayNominal(t *testing.T) {
	t.Parallel()
	const draws = 500
	var cells []Cell
	for _, c := range Cells() {
		if c.N <= 200 || c.N == 1000 && (c.ClusterSize == 1 || !c.Paired()) {
			cells = append(cells, c)
		}
	}
	most, wrong, decisive := limit(draws, 2*len(cells)), 0, 0
	Run(cells, draws, Seed, runtime.GOMAXPROCS(0), func(o Outcome) {
		if o.N == 1000 && o.ClusterSize == 1 {
			wrong += o.Passed + o.Failed
			decisive += 2 * draws
		}
		if o.Passed > most || o.Failed > most {
			t.Errorf("%v: want at most %d of %d wrong on a side, got %d passed and %d failed", o.Cell, most, draws, o.Passed, o.Failed)
		}
	})
	// Rules that never decide would keep any error rate.
	if share := float64(wrong) / float64(decisive); share < Nominal/2 {
		t.Errorf("errors over 1,000 rows alone: want about %v, got %v", Nominal, share)
	}
}

func TestTheTextbookIntervalWouldBeCaught(t *testing.T) {
	t.Parallel()
	// A t interval over few clusters errs in 12 % and more of the draws.
	const draws = 500
	if most := limit(draws, 1000); most >= draws*12/100 {
		t.Errorf("want a limit under %d, got %d", draws*12/100, most)
	}
}

func TestDrawsHaveTheMomentsAskedFor(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []Cell{{N: 10, ClusterSize: 10, ICC: .2, Rate: .9}, {N: 10, ClusterSize: 10, ICC: 1, Rate: .5}, {N: 10, ClusterSize: 10, Rate: .5}} {
		const runs = 40000
		sum, squares := 0.0, 0.0
		for range runs {
			passed := 0.0
			c.clusters(r, []float64{c.Rate, 1 - c.Rate}, func(_ int32, kind, times int) {
				if kind == 0 {
					passed += float64(times)
				}
			})
			sum, squares = sum+passed, squares+passed*passed
		}
		mean := sum / runs
		variance := squares/runs - mean*mean
		want := 10 * c.Rate * (1 - c.Rate) * (1 + 9*c.ICC)
		if math.Abs(mean-10*c.Rate) > .06 || math.Abs(variance-want) > .05*want {
			t.Errorf("%v: want mean %v, variance %v, got %v, %v", c, 10*c.Rate, want, mean, variance)
		}
	}
}

func TestWorkersDoNotChangeTheDraws(t *testing.T) {
	t.Parallel()
	cells := []Cell{{N: 50, ClusterSize: 10, ICC: .2, Rate: .9}, {N: 50, ClusterSize: 1, Margin: .05, Discordance: .2}}
	var one, many []Outcome
	Run(cells, 600, 1, 1, func(o Outcome) { one = append(one, o) })
	Run(cells, 600, 1, 8, func(o Outcome) { many = append(many, o) })
	for i := range one {
		if one[i] != many[i] {
			t.Errorf("one worker %+v, eight %+v", one[i], many[i])
		}
	}
}
