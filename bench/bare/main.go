// Command bare is what newel's speed is held against: a loop that decodes the
// cases of a file and applies the six checks, compiled once, in one goroutine.
// It has no plan, no store and no report; it prints how many cases passed.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"

	"newel"
	"newel/bench/six"
	"newel/check"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bare FILE")
		os.Exit(2)
	}
	passed, err := run(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
	fmt.Println(passed)
}

// record is a line of the file, its values left as they stand.
type record struct {
	ID       string    `json:"id"`
	Output   newel.Raw `json:"output"`
	Expected newel.Raw `json:"expected"`
	Must     newel.Raw `json:"must"`
	Pattern  newel.Raw `json:"pattern"`
}

func run(path string) (passed int, err error) {
	checks, err := compile()
	if err != nil {
		return 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for n := 0; lines.Scan(); n++ {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return 0, err
		}
		ok, err := holds(checks, n, r)
		if err != nil {
			return 0, err
		}
		if ok {
			passed++
		}
	}
	return passed, lines.Err()
}

func compile() ([]*check.Check, error) {
	parsed, err := newel.ParseJSON([]byte(six.Checks))
	if err != nil {
		return nil, err
	}
	var mistakes newel.Mistakes
	checks := check.BuildList(newel.NodeOf(parsed, newel.Pos{}), &check.Env{}, &mistakes)
	return checks, mistakes.Err()
}

// holds applies all six checks, as newel does: a failed one does not spare the
// others.
func holds(checks []*check.Check, n int, r record) (bool, error) {
	s := newel.NewSubject(&newel.Item{N: n, Trial: 1, Case: &newel.Case{
		ID: r.ID, Output: r.Output, Reference: r.Expected,
		Vars: []newel.Named{{Name: "must", Value: r.Must}, {Name: "pattern", Value: r.Pattern}},
	}})
	all := true
	for _, c := range checks {
		score := c.Score(context.Background(), s)
		if score.Err != nil {
			return false, fmt.Errorf("%s: %s: %s", r.ID, c.Name(), score.Err.Message)
		}
		all = all && score.Verdict == newel.Pass
	}
	return all, nil
}
