// Command bench times newel against a bare loop over the same cases and checks,
// alternately, and judged runs against a bare loop of the same posts, and prints
// a table of each. Each program runs as a process of its own:
// its time is what the system charged it, its memory the most that was resident.
//
// It measures; it decides nothing. What the figures should be is in docs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
)

// options are what is measured.
type options struct {
	sizes []int
	runs  int
	seed  uint64
	only  string // floor or judged; empty: both
	peer  string // another program to time on the smallest size; empty: none
	cache string // where cases and the peer are kept
}

func main() {
	o := options{sizes: []int{10_000, 100_000}}
	large := flag.Bool("large", false, "a million cases too")
	flag.IntVar(&o.runs, "runs", 3, "timed runs of each program and size, after one to warm up")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the cases")
	flag.StringVar(&o.only, "only", "", "measure one part alone: floor or judged")
	flag.StringVar(&o.peer, "peer", "", "time this program on the same cases: promptfoo")
	flag.Parse()
	if *large {
		o.sizes = append(o.sizes, 1_000_000)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	o.cache = filepath.Join(cache, "newel-bench")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err = bench(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, o options, out io.Writer) error {
	if o.runs < 1 || flag.NArg() > 0 || o.only != "" && o.only != "floor" && o.only != "judged" {
		return fmt.Errorf("usage: bench [-large] [-runs N] [-seed N] [-only floor|judged] [-peer promptfoo]")
	}
	work, err := os.MkdirTemp("", "newel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	p, err := build(ctx, work)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if o.only != "judged" {
		if err := p.floor(ctx, o, out); err != nil {
			return err
		}
	}
	if o.only != "floor" {
		return p.judged(ctx, o, out)
	}
	return nil
}

// floor measures deterministic checks.
func (p programs) floor(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintf(out, "\nSix checks; medians of %d runs after one to warm up\n", o.runs)
	var rows []row
	for _, n := range o.sizes {
		fmt.Fprintf(os.Stderr, "%d cases\n", n)
		r, err := p.measure(ctx, o, n)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if o.peer != "" {
		var err error
		if rows[0].peer, err = timePeer(ctx, o, o.sizes[0]); err != nil {
			return err
		}
	}
	return table(out, rows, o.peer)
}

// judged measures runs that ask a judge.
func (p programs) judged(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintf(out, "\nJudged, the upstream beside it; medians of %d runs\n", judgedRuns)
	var rows []judgedRow
	for _, j := range judgedRunsOf() {
		fmt.Fprintf(os.Stderr, "%d judged cases\n", j.cases)
		r, err := p.measureJudged(ctx, o, j)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	fmt.Fprintln(os.Stderr, "an upstream whose capacity changes")
	all, err := p.measureCapacity(ctx, o)
	if err != nil {
		return err
	}
	if err := judgedTable(out, rows); err != nil {
		return err
	}
	return capacityTable(out, all)
}

// build compiles the programs into a folder.
func build(ctx context.Context, dir string) (programs, error) {
	in := func(name string) string { return filepath.Join(dir, name) }
	p := programs{dir: dir, newel: in("newel"), bare: in("bare"), ask: in("ask"), upstream: in("upstream")}
	for path, pkg := range map[string]string{p.newel: "./cmd/newel", p.bare: "./bench/bare", p.ask: "./bench/ask", p.upstream: "./bench/upstream/cmd"} {
		c := exec.CommandContext(ctx, "go", "build", "-o", path, pkg)
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return p, fmt.Errorf("build %s, from the root of the checkout: %w", pkg, err)
		}
	}
	return p, nil
}
