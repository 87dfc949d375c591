// Command simulate prints how often the rules of package stat are wrong where
// the truth lies exactly at the bar. It exits 1 when a cell misses the bar.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"newel/stat/simulate"
)

func main() {
	draws := flag.Int("draws", 10_000, "run pairs a cell")
	seed := flag.Uint64("seed", simulate.Seed, "seed of all draws")
	workers := flag.Int("workers", runtime.NumCPU(), "cells' draws at a time")
	bar := flag.Float64("bar", simulate.Bar, "largest error rate on either side")
	flag.Parse()
	if *draws < 1 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if missed := table(os.Stdout, *draws, *seed, *workers, *bar); missed > 0 {
		os.Exit(1)
	}
}

// table prints a line a cell and gives how many miss the bar.
func table(out io.Writer, draws int, seed uint64, workers int, bar float64) (missed int) {
	cells := simulate.Cells()
	fmt.Fprintf(out, "%d draws a cell, seed %d, bar %.3f on either side\n", draws, seed, bar)
	fmt.Fprintf(out, "%-55s false passed  false failed\n", "truth at the bar")
	worst := 0.0
	simulate.Run(cells, draws, seed, workers, func(o simulate.Outcome) {
		note := ""
		if o.Worst() > bar {
			note, missed = "  above the bar", missed+1
		}
		worst = max(worst, o.Worst())
		fmt.Fprintf(out, "%-55v %12.4f  %12.4f%s\n", o.Cell, o.FalsePassed(), o.FalseFailed(), note)
	})
	fmt.Fprintf(out, "%d cells, worst %.4f, %d above the bar\n", len(cells), worst, missed)
	return missed
}
