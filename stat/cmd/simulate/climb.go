package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"newel"
	"newel/gate"
	"newel/ladder"
	"newel/stat"
)

// design is a population with the shares that a judge sees of it.
type design struct {
	population    *population
	sample, audit float64
	anew          bool // cases are drawn anew for each run, and the rate is that of the population
}

// drawn is what one run came to.
type drawn struct {
	point float64
	at    stat.Interval
}

// lab runs a design's ladder again and again over the same items.
type lab struct {
	design
	rubric   ladder.Rubric
	items    []newel.Item
	subjects []*newel.Subject
	who      []int // the member of the population behind each item
}

// scripted is a scorer that answers by the item's number.
type scripted struct {
	name   string
	answer func(n int) newel.Score
}

func (s scripted) Name() string { return s.name }

func (s scripted) Score(_ context.Context, subject *newel.Subject) newel.Score {
	score := s.answer(subject.Item.N)
	score.Scorer = s.name
	return score
}

func newLab(d design) *lab {
	n := len(d.population.subjects)
	l := &lab{design: d, items: make([]newel.Item, n), subjects: make([]*newel.Subject, n), who: make([]int, n)}
	for i := range l.items {
		l.items[i] = newel.Item{N: i, Case: &newel.Case{ID: fmt.Sprint("case-", i)}, Trial: 1}
		l.subjects[i], l.who[i] = newel.NewSubject(&l.items[i]), i
	}
	l.rubric = ladder.Rubric{Name: "grounded", Sample: d.sample, Audit: d.audit,
		Floor:       []ladder.Step{{Scorer: scripted{"words", l.floor}, Settles: newel.SettlesPass}},
		Classifiers: []newel.Scorer{scripted{"features", l.classify}},
		Judge:       scripted{"truth", l.judge}}
	return l
}

func (l *lab) of(n int) *subject { return &l.population.subjects[l.who[n]] }

func (l *lab) floor(n int) newel.Score {
	if l.of(n).floor >= floorBar {
		return newel.Passed()
	}
	return newel.Missed("words of its own")
}

func (l *lab) classify(n int) newel.Score {
	score := l.of(n).score
	value, err := newel.ValueOf(score)
	if err != nil {
		return newel.Broken(newel.KindInternal, err.Error())
	}
	out := newel.Score{Value: value, HasValue: true}
	switch {
	case score >= passBar:
		out.Verdict = newel.Pass
	case score < failBar:
		out.Verdict = newel.Fail
	}
	return out
}

func (l *lab) judge(n int) newel.Score {
	if l.of(n).good {
		return newel.Passed()
	}
	return newel.Missed("not supported")
}

// run climbs every item under one seed and reads the rate.
func (l *lab) run(seed uint64, at int) drawn {
	if l.anew {
		r := rand.New(rand.NewPCG(seed, uint64(at)))
		for i := range l.who {
			l.who[i] = r.IntN(len(l.who))
		}
	}
	rubric := l.rubric
	rubric.Seed = int64(seed) + int64(at)
	var rows stat.Tally
	for _, s := range l.subjects {
		res := rubric.Climb(context.Background(), s)
		row := gate.RowOf(&res, true)
		row.Cluster = stat.Alone
		rows.Add(row)
	}
	rule := stat.RateRule{Of: stat.Suite}
	if l.anew {
		rule.Of = stat.Population
	}
	got := rule.Decide(rows.Rows())
	return drawn{got.Point, got.Interval}
}

// draw runs the design so many times. What comes of it does not depend on the
// number of workers.
func (d design) draw(draws int, seed uint64, workers int) []drawn {
	out := make([]drawn, draws)
	var group sync.WaitGroup
	for w := range max(1, min(workers, draws, runtime.NumCPU())) {
		group.Go(func() {
			l := newLab(d)
			for at := w; at < draws; at += max(1, min(workers, draws, runtime.NumCPU())) {
				out[at] = l.run(seed, at)
			}
		})
	}
	group.Wait()
	return slices.Clip(out)
}
