package main

import (
	"fmt"
	"io"
	"math"
)

// The bar of the simulated draws: the mean estimate within so many of its own
// standard errors of the truth, and the truth outside the interval at most so
// often on a side, which is 2.5 % and three standard errors of 2,000 draws.
const (
	meanBar = 3
	tailBar = 0.036
)

// shares are the pairs of sample and audit that are tried.
var shares = [...][2]float64{{0.05, 0.02}, {0.10, 0.02}, {0.20, 0.05}}

// designs are the published table's.
func designs(populations []*population) []design {
	var out []design
	for _, p := range populations {
		for _, s := range shares {
			out = append(out, design{p, s[0], s[1], false}, design{p, s[0], s[1], true})
		}
	}
	return out
}

// finding is what a design's draws came to.
type finding struct {
	truth, mean, spread, width float64 // spread: standard deviation of the points
	errors                     float64 // the mean's distance from the truth in its standard errors
	above, below               float64 // shares of draws whose interval lies above the truth, below it
}

func find(truth float64, draws []drawn) finding {
	f, n := finding{truth: truth}, float64(len(draws))
	for _, d := range draws {
		f.mean += d.point / n
		f.width += (d.at.High - d.at.Low) / n
		if d.at.Low > truth+1e-12 {
			f.above += 1 / n
		}
		if d.at.High < truth-1e-12 {
			f.below += 1 / n
		}
	}
	for _, d := range draws {
		f.spread += float64((d.point-f.mean)*(d.point-f.mean)) / (n - 1)
	}
	f.spread = math.Sqrt(f.spread)
	f.errors = (f.mean - truth) / (f.spread / math.Sqrt(n))
	return f
}

// holds says that the finding keeps the bar; a mean that is no number does not.
func (f finding) holds() bool {
	return math.Abs(f.errors) <= meanBar && f.above <= tailBar && f.below <= tailBar
}

// drawTable prints a line a design and gives how many miss the bar.
func drawTable(out io.Writer, list []design, draws int, seed uint64, workers int) (missed int) {
	fmt.Fprintf(out, "%d draws a line, seed %d; bar: mean within %d standard errors, each tail at most %.3f\n", draws, seed, meanBar, tailBar)
	fmt.Fprintf(out, "%-22s sample audit  cases      truth   mean off  in errors  above  below  width\n", "")
	for _, d := range list {
		f := find(d.population.rate(), d.draw(draws, seed, workers))
		cases, note := "these", ""
		if d.anew {
			cases = "anew"
		}
		if !f.holds() {
			note, missed = "  misses the bar", missed+1
		}
		fmt.Fprintf(out, "%-22s %6.2f %5.2f  %-5s  %8.5f  %+9.6f  %+9.2f  %.4f %.4f %.4f%s\n",
			d.population.name, d.sample, d.audit, cases, f.truth, f.mean-f.truth, f.errors, f.above, f.below, f.width, note)
	}
	fmt.Fprintf(out, "%d lines, %d miss the bar\n", len(list), missed)
	return missed
}
