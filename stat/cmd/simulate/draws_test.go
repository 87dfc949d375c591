package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"newel/stat/simulate"
)

const groundedCases = "../../../examples/begin-grounded/cases.jsonl.zst"

func groundedPopulation(t *testing.T) *population {
	t.Helper()
	p, err := grounded(groundedCases)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The full table takes 2,000 draws a line; this is its beginning, with the bar
// that so few draws allow: 2.5 % and four of their standard errors a tail, and
// four for the mean, since many lines are looked at.
func TestWhatASampleShowsIsTheTruth(t *testing.T) {
	t.Parallel()
	const draws, errors = 160, 4
	tail := simulate.Nominal + errors*math.Sqrt(simulate.Nominal*(1-simulate.Nominal)/draws)
	populations := []*population{groundedPopulation(t), settled(1500, 0.02, simulate.Seed), settled(1500, 0.05, simulate.Seed)}
	for _, p := range populations {
		for _, anew := range []bool{false, true} {
			d := design{p, 0.2, 0.05, anew}
			f := find(p.rate(), d.draw(draws, simulate.Seed, 2))
			if !(math.Abs(f.errors) <= errors) || f.above > tail || f.below > tail {
				t.Errorf("%s, anew %v: mean %.5f is %.2f standard errors from %.5f, tails %.4f and %.4f; want at most %d, and %.4f", p.name, anew, f.mean, f.errors, f.truth, f.above, f.below, errors, tail)
			}
			if f.width > 0.25 || f.spread == 0 {
				t.Errorf("%s, anew %v: intervals %.3f wide and points that spread by %.5f keep any truth", p.name, anew, f.width, f.spread)
			}
		}
	}
}

// Without an audit the settled rows' errors would stay; the table sees that.
func TestWhatNobodyAuditsWouldBeCaught(t *testing.T) {
	t.Parallel()
	d := design{settled(1000, 0.05, simulate.Seed), 1, 0, false}
	draws := d.draw(5, simulate.Seed, 1)
	for i := range draws {
		// All but noise: the rate that the layers below the judge would report.
		draws[i].point += float64(i) * 1e-6
		draws[i].at.Low, draws[i].at.High = draws[i].point-0.01, draws[i].point+0.01
	}
	if f := find(d.population.rate(), draws); f.holds() || f.above != 1 {
		t.Errorf("want every interval above the truth, got %+v", f)
	}
}

func TestThePopulationsAreAsDescribed(t *testing.T) {
	t.Parallel()
	p := groundedPopulation(t)
	if got := p.rate() * float64(len(p.subjects)); len(p.subjects) != 4037 || math.Round(got) != 1572 {
		t.Errorf("%d replies, %v of them attributable, want 4,037 and 1,572", len(p.subjects), got)
	}
	if auc := areaUnder(p); math.Abs(auc-0.941) > 0.001 {
		t.Errorf("area under the curve %.4f, want 0.941", auc)
	}
	for _, wrong := range []float64{0.02, 0.05} {
		settledRows, missed := 0, 0
		for _, s := range settled(rows, wrong, 1).subjects {
			if s.score == 1 || s.score == 0 {
				settledRows++
				if s.good != (s.score == 1) {
					missed++
				}
			}
		}
		if settledRows != rows*9/10 || missed != int(wrong*rows*9/10) {
			t.Errorf("%v wrong: %d of %d settled rows are", wrong, missed, settledRows)
		}
	}
}

// areaUnder is the chance that a good reply scores above a bad one.
func areaUnder(p *population) float64 {
	sorted := slices.Clone(p.subjects)
	slices.SortFunc(sorted, func(a, b subject) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return 0
	})
	bad, good, wins := 0.0, 0.0, 0.0
	for from := 0; from < len(sorted); {
		to, ties := from, 0.0
		equalBad := 0.0
		for ; to < len(sorted) && sorted[to].score == sorted[from].score; to++ {
			if sorted[to].good {
				ties++
			} else {
				equalBad++
			}
		}
		wins += ties * (bad + equalBad/2)
		good, bad = good+ties, bad+equalBad
		from = to
	}
	return wins / good / bad
}

func TestWorkersDoNotChangeTheSampledDraws(t *testing.T) {
	t.Parallel()
	d := design{settled(300, 0.05, 1), 0.5, 0.2, true}
	if one, many := d.draw(9, 1, 1), d.draw(9, 1, 8); !slices.Equal(one, many) {
		t.Errorf("one worker %v, eight %v", one, many)
	}
}

func TestTheDrawTableMarksWhatMissesTheBar(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	// Two draws of so small a sample are far from the truth in their own errors,
	// or say nothing at all.
	list := []design{{settled(40, 0.05, 1), 0, 0, false}, {settled(200, 0.05, 1), 1, 1, false}}
	missed := drawTable(&out, list, 2, 1, 1)
	if got := strings.Count(out.String(), "  misses the bar"); got != missed || missed != 2 {
		t.Errorf("want both lines marked: one without an estimate, one without spread; got %d of %d\n%s", got, missed, out.String())
	}
}
