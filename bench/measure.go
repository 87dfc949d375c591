package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"newel/bench/six"
)

// usage is what one run of a program took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes resident at most; 0 where the system does not say
}

// row is what is known of one size.
type row struct {
	cases             int
	newel, bare, peer usage
	ratio             float64 // CPU of newel to that of the bare loop, median of the pairs
	input, store      int64   // bytes
}

// programs are the built ones and a folder to run them in.
type programs struct{ dir, newel, bare, ask, upstream string }

// measure times both programs on n cases, one after the other.
func (p programs) measure(ctx context.Context, o options, n int) (row, error) {
	data, err := cases(o, n)
	if err != nil {
		return row{}, err
	}
	file := filepath.Join(data, six.CasesFile)
	info, err := os.Stat(file)
	if err != nil {
		return row{}, err
	}
	r := row{cases: n, input: info.Size()}
	var newels, bares []usage
	var ratios []float64
	for i := range o.runs + 1 {
		whole, size, err := p.runNewel(ctx, data, n)
		if err != nil {
			return r, err
		}
		bare, err := p.runBare(ctx, file, n)
		if err != nil {
			return r, err
		}
		if i == 0 {
			continue // to warm up
		}
		newels, bares, r.store = append(newels, whole), append(bares, bare), size
		ratios = append(ratios, whole.cpu.Seconds()/bare.cpu.Seconds())
	}
	r.newel, r.bare, r.ratio = medians(newels), medians(bares), median(ratios)
	return r, nil
}

// cases returns the folder of n cases, written when first asked for.
func cases(o options, n int) (string, error) {
	dir := filepath.Join(o.cache, fmt.Sprintf("six-%d-%d", o.seed, n))
	whole := filepath.Join(dir, "whole-1") // raised when the cases change
	if _, err := os.Stat(whole); err == nil {
		return dir, nil
	}
	if err := six.Write(dir, o.seed, n); err != nil {
		return "", err
	}
	return dir, os.WriteFile(whole, nil, 0o644)
}

// runNewel runs the suite into a new store and returns the store's size.
func (p programs) runNewel(ctx context.Context, data string, n int) (usage, int64, error) {
	store, err := os.MkdirTemp(p.dir, "store-")
	if err != nil {
		return usage{}, 0, err
	}
	defer os.RemoveAll(store)
	out, took, err := timed(exec.CommandContext(ctx, p.newel, "run", filepath.Join(data, six.SuiteFile),
		"--json", "--quiet", "--store=sqlite:"+filepath.Join(store, "newel.db")))
	if err != nil {
		return took, 0, err
	}
	var report struct {
		Cases struct{ Pass, Fail int }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return took, 0, fmt.Errorf("newel's report: %w", err)
	}
	if c := report.Cases; c.Pass != six.Passing(n) || c.Pass+c.Fail != n {
		return took, 0, fmt.Errorf("newel: %d pass and %d fail of %d; want %d to pass", c.Pass, c.Fail, n, six.Passing(n))
	}
	size, err := sizeOf(store)
	return took, size, err
}

func (p programs) runBare(ctx context.Context, file string, n int) (usage, error) {
	out, took, err := timed(exec.CommandContext(ctx, p.bare, file))
	if err != nil {
		return took, err
	}
	if passed, err := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || passed != six.Passing(n) {
		return took, fmt.Errorf("bare: %q pass, want %d", out, six.Passing(n))
	}
	return took, nil
}

// timed runs a command to its end and returns its output.
func timed(c *exec.Cmd) ([]byte, usage, error) {
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	begun := time.Now()
	err := c.Run()
	took := usage{wall: time.Since(begun)}
	if err != nil {
		return nil, took, fmt.Errorf("%s: %w\n%s", filepath.Base(c.Path), err, errs.String())
	}
	took.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	took.peak = peak(c.ProcessState)
	return out.Bytes(), took, nil
}

// sizeOf adds up the files of a folder.
func sizeOf(dir string) (total int64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return total, err
		}
		total += info.Size()
	}
	return total, err
}

// medians takes each figure's median by itself.
func medians(list []usage) usage {
	var walls, cpus []time.Duration
	var peaks []int64
	for _, u := range list {
		walls, cpus, peaks = append(walls, u.wall), append(cpus, u.cpu), append(peaks, u.peak)
	}
	return usage{median(walls), median(cpus), median(peaks)}
}

// median returns the middle of a list, of two middles the smaller.
func median[T time.Duration | int64 | float64](list []T) T {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}
