// Package simulate measures how often a rule of package stat is wrong: it draws
// runs whose truth lies exactly at the bar and counts those that a rule calls
// passed and those it calls failed. Everything follows from the seed, whatever
// the number of workers. What the counts mean is for its callers to judge.
package simulate

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"newel/stat"
)

// Seed is the seed of the published table, fixed before the first draw.
const Seed = 20250117

// Nominal is the error that a rule may make on either side at 95 %.
const Nominal = 0.025

// Bar is the largest error rate that counts as nominal in the full table of
// 10,000 draws a cell.
const Bar = 0.032

// Cell is one setting. Paired cells have a margin.
type Cell struct {
	N           int     // rows, or pairs
	ClusterSize int     // rows a cluster
	ICC         float64 // how alike rows of a cluster are: 0 not at all, 1 equal
	Rate        float64 // rate cells: the true rate and the bar
	Margin      float64 // paired cells: the true damage and the margin
	Discordance float64 // paired cells: regressions and improvements together
}

// Paired says which rule the cell tries.
func (c Cell) Paired() bool { return c.Margin > 0 }

func (c Cell) String() string {
	what := fmt.Sprintf("rate %.2f", c.Rate)
	if c.Paired() {
		what = fmt.Sprintf("margin %.2f of %.2f", c.Margin, c.Discordance)
	}
	return fmt.Sprintf("%-19s n %4d  clusters of %2d  icc %.1f", what, c.N, c.ClusterSize, c.ICC)
}

// Cells are the settings of the published table.
func Cells() []Cell {
	var kinds []Cell
	for _, p := range []float64{.5, .9, .99} {
		kinds = append(kinds, Cell{Rate: p})
	}
	for _, d := range [][2]float64{{.02, .02}, {.02, .05}, {.05, .1}, {.05, .2}, {.1, .2}, {.1, .4}} {
		kinds = append(kinds, Cell{Margin: d[0], Discordance: d[1]})
	}
	var out []Cell
	for _, c := range kinds {
		for _, n := range []int{20, 50, 200, 1000, 5000} {
			c.N = n
			c.ClusterSize, c.ICC = 1, 0
			out = append(out, c)
			for _, icc := range []float64{0, .2, 1} {
				c.ClusterSize, c.ICC = 10, icc
				out = append(out, c)
			}
		}
	}
	return out
}

// Outcome is what the draws of one cell came to.
type Outcome struct {
	Cell
	Draws, Passed, Failed int
}

// FalsePassed and FalseFailed are shares of the draws.
func (o Outcome) FalsePassed() float64 { return float64(o.Passed) / float64(o.Draws) }
func (o Outcome) FalseFailed() float64 { return float64(o.Failed) / float64(o.Draws) }

// Worst is the larger of the two.
func (o Outcome) Worst() float64 { return max(o.FalsePassed(), o.FalseFailed()) }

// block is how many draws share a random stream.
const block = 250

// Run draws each cell draws times on so many workers and hands the outcomes to
// done, one at a time and in order.
func Run(cells []Cell, draws int, seed uint64, workers int, done func(Outcome)) {
	for i, c := range cells {
		out := Outcome{Cell: c, Draws: draws}
		var guard sync.Mutex
		var group sync.WaitGroup
		places := make(chan struct{}, max(1, workers))
		for from := 0; from < draws; from += block {
			places <- struct{}{}
			group.Go(func() {
				defer func() { <-places }()
				stream := rand.New(rand.NewPCG(seed, uint64(i)<<32|uint64(from)))
				passed, failed := c.block(stream, min(block, draws-from))
				guard.Lock()
				defer guard.Unlock()
				out.Passed += passed
				out.Failed += failed
			})
		}
		group.Wait()
		done(out)
	}
}

func (c Cell) block(r *rand.Rand, draws int) (passed, failed int) {
	for range draws {
		switch c.draw(r) {
		case stat.Passed:
			passed++
		case stat.Failed:
			failed++
		}
	}
	return passed, failed
}

// draw is one run through the rule and the gate.
func (c Cell) draw(r *rand.Rand) stat.State {
	var state stat.State
	var p float64
	if c.Paired() {
		got := stat.PairedRule{Margin: c.Margin}.Decide(c.pairs(r), 0)
		state, p = got.State, got.PFailed
	} else {
		got := stat.RateRule{Min: c.Rate}.Decide(c.rows(r))
		state, p = got.State, got.PFailed
	}
	rule := stat.Rule{State: state, PFailed: p, Alpha: stat.Level{}.Alpha()}
	return stat.Gate([]stat.Rule{rule}).State
}
