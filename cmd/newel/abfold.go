package main

import (
	"slices"

	"newel"
	"newel/eval"
)

// comparison holds what two sides' judges said of the same rows, and for how
// much.
type comparison struct {
	sides   [2]*abSide
	rubrics []string // in the order of the plan
	rows    map[abRow]*abPair
	order   []abRow // as side a has them, then what b alone has
}

// abRow is one rubric of one item.
type abRow struct {
	item   newel.ItemID
	rubric string
}

// abPair is what both sides have of a row.
type abPair struct {
	shown string
	label newel.Raw
	said  [2]*abSaid
}

// abSaid is what one side's judge said of a row.
type abSaid struct {
	verdict newel.Verdict
	choice  string
	usd     newel.Money
	unknown int
	partly  int // calls whose cost is known, but for earlier attempts
}

// abSide reads one side's run.
type abSide struct {
	of           *comparison
	at           int
	total        abSum
	by           map[string]*abSum
	rows         map[string]int // judged, by rubric
	seen         map[newel.Hash]bool
	labelled     map[string]*abSum // of rows that people labelled, by rubric
	seenLabelled map[newel.Hash]bool
}

// abSum adds up different calls.
type abSum struct {
	calls, cached, shared int
	unknown, partly, lost int
	unsure                int // paid for here, and not known to the end
	usd, paid, held       newel.Money
}

func newComparison() *comparison {
	c := &comparison{rows: map[abRow]*abPair{}}
	for i := range c.sides {
		c.sides[i] = &abSide{of: c, at: i, by: map[string]*abSum{}, labelled: map[string]*abSum{}, rows: map[string]int{},
			seen: map[newel.Hash]bool{}, seenLabelled: map[newel.Hash]bool{}}
	}
	return c
}

func (c *comparison) side(i int) *abSide { return c.sides[i] }

// item notes what judges said of an item's rows. It counts what the judge said
// itself, also where a lower layer's fail is final.
func (s *abSide) item(run *newel.Run, it *newel.ItemRows) {
	if it.Quarantined {
		return
	}
	for i := range it.Results {
		res := &it.Results[i]
		asked := false
		res.EachCall(func(newel.CallRef) { asked = true })
		at := slices.IndexFunc(res.Scores, func(sc newel.Score) bool { return sc.Layer == newel.Judge })
		if !asked || at < 0 {
			continue
		}
		rubric := run.Plan.Rubrics[res.Rubric]
		if !slices.Contains(s.of.rubrics, rubric) {
			s.of.rubrics = append(s.of.rubrics, rubric)
		}
		s.rows[rubric]++
		s.of.pair(rowOf(run, it, res), it, run.Plan.Trials, rubric).said[s.at] = &abSaid{verdict: res.Scores[at].Verdict, choice: res.Scores[at].Choice}
	}
}

func rowOf(run *newel.Run, it *newel.ItemRows, res *newel.Result) abRow {
	return abRow{newel.ItemIDOf(it.Case, it.Matrix, it.Trial), run.Plan.Rubrics[res.Rubric]}
}

func (c *comparison) pair(row abRow, it *newel.ItemRows, trials int, rubric string) *abPair {
	p := c.rows[row]
	if p == nil {
		label := newel.Find(it.Labels, rubric)
		if label != nil && label.Kind() == 'n' {
			label = nil
		}
		p = &abPair{shown: it.Show(trials), label: slices.Clone(label)}
		c.rows[row] = p
		c.order = append(c.order, row)
	}
	return p
}

// call notes what a call cost, whoever paid for it. A call that several rows ask
// counts once.
func (s *abSide) call(run *newel.Run, b eval.Bought) error {
	if b.Item == nil {
		return s.total.add(b)
	}
	if b.Item.Quarantined {
		return nil
	}
	row := rowOf(run, b.Item, b.Result)
	p := s.of.rows[row]
	if p == nil || p.said[s.at] == nil {
		return s.total.add(b)
	}
	said := p.said[s.at]
	said.add(b)
	if p.label != nil && !s.seenLabelled[b.Call.Key] {
		s.seenLabelled[b.Call.Key] = true
		if err := sumOf(s.labelled, row.rubric).add(b); err != nil {
			return err
		}
	}
	if s.seen[b.Call.Key] {
		s.total.shared++
		return nil
	}
	s.seen[b.Call.Key] = true
	if err := sumOf(s.by, row.rubric).add(b); err != nil {
		return err
	}
	return s.total.add(b)
}

// add adds a call of the row.
func (s *abSaid) add(b eval.Bought) {
	if b.Cost == nil {
		s.unknown++
		return
	}
	if !b.Exact() {
		s.partly++
	}
	s.usd = saturated(s.usd, *b.Cost, 1)
}

// lose adds the attempts that were lost with a process.
func (s *abSide) lose(now newel.Spending) (err error) {
	s.total.lost += now.Open
	s.total.unsure += now.Open
	s.total.held, err = s.total.held.Add(now.Reserved)
	return err
}

func sumOf(m map[string]*abSum, key string) *abSum {
	if m[key] == nil {
		m[key] = &abSum{}
	}
	return m[key]
}

func (s *abSum) add(b eval.Bought) (err error) {
	s.calls++
	if !b.Own && !b.Shared {
		s.cached++
	}
	if b.Own && !b.Exact() {
		s.unsure++
	}
	if s.held, err = s.held.Add(b.Held); err != nil {
		return err
	}
	if b.Cost == nil {
		s.unknown++
		return nil
	}
	if !b.Exact() {
		s.partly++
	}
	if b.Own {
		if s.paid, err = s.paid.Add(*b.Cost); err != nil {
			return err
		}
	}
	s.usd, err = s.usd.Add(*b.Cost)
	return err
}

// leastKnown is the share of calls whose cost must be known for dollars to be
// compared.
const leastKnown = 0.95

// coverage is the share of calls whose cost is known to the end, attempts that were
// lost counted as calls; nil without calls.
func (s *abSum) coverage() *float64 {
	if s == nil || s.calls+s.lost == 0 {
		return nil
	}
	share := float64(s.calls-s.unknown-s.partly) / float64(s.calls+s.lost)
	return &share
}

// covered reports whether enough costs are known.
func (s *abSum) covered() bool {
	c := s.coverage()
	return c == nil || *c >= leastKnown
}
