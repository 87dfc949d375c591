package main

import (
	"fmt"
	"time"

	"newel"
	"newel/suite"
)

// quarantine watches which of a suite's entries the data has.
type quarantine struct {
	list []suite.Quarantine
	seen map[string]bool
}

func newQuarantine(list []suite.Quarantine) *quarantine {
	q := &quarantine{list: list, seen: map[string]bool{}}
	for _, e := range list {
		q.seen[e.ID] = false
	}
	return q
}

func (q *quarantine) see(id string) {
	if _, listed := q.seen[id]; listed {
		q.seen[id] = true
	}
}

// lines says what became of each entry at an instant. Whole says that all cases
// went by.
func (q *quarantine) lines(now time.Time, whole bool) []newel.QuarantineLine {
	var out []newel.QuarantineLine
	for _, e := range q.list {
		line := newel.QuarantineLine{ID: e.ID, Until: e.Until.Format(time.DateOnly), Why: e.Why, State: "in force"}
		switch {
		case whole && !q.seen[e.ID]:
			line.State = "not in the data"
		case !now.Before(e.Until):
			line.State = "over"
		}
		out = append(out, line)
	}
	return out
}

// quarantineWarnings says which entries do nothing. Near suggests an id for one
// that no case has.
func quarantineWarnings(lines []newel.QuarantineLine, near func(id string) (string, error)) ([]string, error) {
	var out []string
	for _, l := range lines {
		switch l.State {
		case "not in the data":
			hint, err := near(l.ID)
			if err != nil {
				return nil, err
			}
			out = append(out, fmt.Sprintf("quarantine: no case has the id %q%s", l.ID, hint))
		case "over":
			out = append(out, fmt.Sprintf("quarantine of %q ended on %s: the case counts again; remove the entry, or give it a later day", l.ID, l.Until))
		}
	}
	return out, nil
}
