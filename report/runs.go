package report

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"newel"
)

// RunLine is one run in the list of runs.
type RunLine struct {
	ID      string            `json:"id"`
	Suite   string            `json:"suite"`
	State   newel.State       `json:"state"`
	Gate    newel.GateState   `json:"gate,omitempty"` // empty: no gate, or no verdict yet
	Runner  string            `json:"runner"`
	Created time.Time         `json:"created"`
	Items   int               `json:"items"` // planned
	Tally   newel.Tally       `json:"tally"` // of items done
	Labels  map[string]string `json:"labels,omitempty"`
}

// RunsTable writes a list of runs, in the order given.
func RunsTable(w io.Writer, runs []RunLine, opt TextOptions) error {
	p := newPage(w, opt)
	if len(runs) == 0 {
		p.line("no runs")
	}
	t := &table{columns: []column{fixed("run"), names("suite"), fixed("state"), fixed("created (UTC)"), spare("items"), spare("fail"), spare("error")}}
	labelled := !p.verbose && slices.ContainsFunc(runs, func(r RunLine) bool { return len(r.Labels) > 0 })
	if labelled {
		t.columns = append(t.columns, column{title: "labels", flex: true, spare: true})
	}
	for _, r := range runs {
		state, tone := runState(r)
		row := cells(Visible(r.ID), Visible(r.Suite), state, minute(r.Created), count(r.Items), count(r.Tally.Fail), count(r.Tally.Error))
		row.cells[2].tone = tone
		if labelled {
			row.cells = append(row.cells, cell{text: pairs(r.Labels)})
		}
		if p.verbose {
			row.under = runNotes(r)
		}
		t.add(row)
	}
	p.table(t)
	return p.close()
}

// minute returns t to the minute in UTC.
func minute(t time.Time) string {
	if t.IsZero() {
		return nothing
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// runState is the gate's verdict of a sealed run, and how far any other has come.
func runState(r RunLine) (string, tone) {
	switch {
	case r.State == newel.Sealed && r.Gate == "":
		return "no gate", plainTone
	case r.State == newel.Sealed:
		return Visible(string(r.Gate)), gateTone(r.Gate)
	case r.Items == 0:
		return Visible(string(r.State)), unsure
	}
	return Visible(string(r.State)) + " " + strconv.Itoa(int(100*int64(r.Tally.Done)/int64(r.Items))) + " %", unsure
}

func runNotes(r RunLine) []string {
	var notes []string
	if r.Runner != "" {
		notes = append(notes, "runner "+Visible(r.Runner))
	}
	if len(r.Labels) > 0 {
		notes = append(notes, pairs(r.Labels))
	}
	if notes == nil {
		return nil
	}
	return []string{strings.Join(notes, " · ")}
}
