// Command simulate prints how often the rules of package stat are wrong. By
// itself it draws fully judged runs whose truth lies exactly at the bar;
// "simulate draws" climbs ladders whose judge sees a sample, and compares what
// is estimated from it with the truth. It exits 1 when a line misses its bar.
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
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "draws" {
		os.Exit(sampled(args[1:]))
	}
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

// rows is the size of the made-up populations.
const rows = 4000

// sampled is the command "draws"; it returns the exit code.
func sampled(args []string) int {
	flags := flag.NewFlagSet("simulate draws", flag.ExitOnError)
	draws := flags.Int("draws", 2000, "runs a line, 2 at least")
	seed := flags.Uint64("seed", simulate.Seed, "seed of the first run; each has the next")
	workers := flags.Int("workers", runtime.NumCPU(), "runs at a time")
	cases := flags.String("cases", "examples/begin-grounded/cases.jsonl.zst", "the labelled replies")
	_ = flags.Parse(args) // exits on a mistake
	if *draws < 2 || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	real, err := grounded(*cases)
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate draws:", err)
		return 2
	}
	list := designs([]*population{real, settled(rows, 0.02, *seed), settled(rows, 0.05, *seed)})
	if drawTable(os.Stdout, list, *draws, *seed, *workers) > 0 {
		return 1
	}
	return 0
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
