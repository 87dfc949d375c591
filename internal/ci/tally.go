package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// tally counts tests. Subtests count each.
type tally struct {
	passed, failed, skipped int
	failures                []failure
	skips                   []string
}

type failure struct{ name, output string }

// String is the closing line.
func (t tally) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}

func (t *tally) fail(name, output string) {
	t.failed++
	t.failures = append(t.failures, failure{name, output})
}

func (t *tally) skip(name, why string) {
	t.skipped++
	t.skips = append(t.skips, name+": "+why)
}

func (t *tally) add(o tally) {
	t.passed, t.failed, t.skipped = t.passed+o.passed, t.failed+o.failed, t.skipped+o.skipped
	t.failures = append(t.failures, o.failures...)
	t.skips = append(t.skips, o.skips...)
}

// list prints what failed, with its output, and what was skipped.
func (t tally) list(w io.Writer) {
	for _, s := range t.skips {
		fmt.Fprintf(w, "\nSKIPPED %s\n", s)
	}
	for _, f := range t.failures {
		fmt.Fprintf(w, "\nFAILED %s\n%s\n", f.name, strings.TrimRight(f.output, "\n"))
	}
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	ImportPath, FailedBuild       string
	Elapsed                       float64
}

// counter turns events into a tally, holding what a test printed until its
// end is known.
type counter struct {
	tally
	label   string // put before names
	out     io.Writer
	printed map[string]*strings.Builder
	ran     map[string]int // tests by package
	broken  map[string]int // failed ones by package
}

// count reads the output of go test -json to its end, printing a line for each
// package.
func count(r io.Reader, label string, out io.Writer) (tally, error) {
	c := counter{label: label, out: out, printed: map[string]*strings.Builder{}, ran: map[string]int{}, broken: map[string]int{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) == nil {
				c.take(e)
			} else {
				fmt.Fprintln(out, text)
			}
		}
		if err == io.EOF {
			return c.tally, nil
		}
		if err != nil {
			return c.tally, err
		}
	}
}

func (c *counter) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			key = "build " + e.ImportPath
		}
		if c.printed[key] == nil {
			c.printed[key] = &strings.Builder{}
		}
		c.printed[key].WriteString(e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			c.ended(e)
		} else {
			c.tested(e)
		}
		delete(c.printed, key)
	}
}

// tested counts the end of one test.
func (c *counter) tested(e event) {
	name, said := c.label+e.Package+" "+e.Test, c.said(e.Package+" "+e.Test)
	c.ran[e.Package]++
	switch e.Action {
	case "pass":
		c.passed++
	case "skip":
		c.skip(name, reason(said))
	case "fail":
		c.broken[e.Package]++
		c.fail(name, said)
	}
}

// ended prints the line of a package. One that failed without a failed test
// did not build, panicked or ran out of time, and counts as one.
func (c *counter) ended(e event) {
	if e.Action == "fail" && c.broken[e.Package] == 0 {
		c.fail(c.label+e.Package, c.said("build "+e.FailedBuild)+c.said(e.Package+" ")+c.unfinished(e.Package))
	}
	if e.Action != "skip" {
		fmt.Fprintf(c.out, "%-4s %s%s: %d tests, %.1f s\n", e.Action, c.label, e.Package, c.ran[e.Package], e.Elapsed)
	}
}

// unfinished returns what the tests printed that never ended.
func (c *counter) unfinished(pkg string) string {
	var all []string
	for key, text := range c.printed {
		if strings.HasPrefix(key, pkg+" ") && key != pkg+" " {
			all = append(all, text.String())
		}
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

func (c *counter) said(key string) string {
	if b := c.printed[key]; b != nil {
		return b.String()
	}
	return ""
}

// reason is what a skipped test said, without the runner's own lines.
func reason(said string) string {
	var kept []string
	for _, line := range strings.Split(said, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " ")
}
