package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"

	"newel"
	"newel/eval"
	"newel/gateway"
	"newel/judge"
	"newel/ladder"
	"newel/paid"
	"newel/suite"
)

// asking finds out which calls a run would make, while its plan is made: the
// layers below judges are free, so every item climbs to where its judge would be
// asked, and the question is written down instead. It opens no connection.
type asking struct {
	suite   *suite.Suite
	clients map[string]*gateway.Client
	rubrics []*askedRubric // by index in the suite; nil: it asks nobody
	exact   int            // items from the beginning that are all looked at

	mu sync.Mutex
}

// askedRubric is a rubric whose judge asks a gateway.
type askedRubric struct {
	*suite.Rubric
	index  int
	climb  *ladder.Rubric // nil: a layer below does not run yet
	judge  *judge.Judge
	sample float64
	audit  float64 // below 0: the plan fixes it

	rows, looked             int // rows; of them, those that were looked at
	settled, residual, drawn int // of those looked at, with their weights
	broken, unready          int // with their weights
	calls                    []wantedCall
	unseen                   []unseenRow
}

// wantedCall is one call of one row.
type wantedCall struct {
	key           newel.Hash
	item          int
	weight        int
	draw          float64 // of a row that settled below: it is audited where the audit is above
	settled       bool
	model         string
	likely, worst newel.Money
	least         newel.Money
	priced        bool
}

// unseenRow is a row whose judge may be asked, or not: its output is not there
// yet, or what a layer below says.
type unseenRow struct {
	draw   float64
	calls  int
	weight int
}

// About exactCalls calls are looked at one by one, of at most exactItems items.
// Of what comes behind, every tenth item stands for ten, then every hundredth for
// a hundred, so that a plan of any size is made in bounded time.
const (
	exactCalls = 200_000
	exactItems = 2_000_000
)

// newAsking prepares for the rubrics that take part and ask a gateway; nil: none
// does.
func (a *app) newAsking(s *suite.Suite, only []string) (*asking, error) {
	if !s.Pays(only) {
		return nil, nil
	}
	k := &asking{suite: s, rubrics: make([]*askedRubric, len(s.Rubrics))}
	var err error
	if k.clients, err = a.connect(s, only, false); err != nil {
		return nil, err
	}
	var ready []string
	calls := 0.0 // of an item
	for i, r := range s.Rubrics {
		if r.Judge == nil || r.Judge.Calls == 0 || len(only) > 0 && !slices.Contains(only, r.Name) {
			continue
		}
		calls += float64(r.Judge.Calls) * max(r.Judge.Sample, r.Audit())
		k.rubrics[i] = &askedRubric{Rubric: r, index: i, sample: r.Judge.Sample, audit: r.Audit()}
		if len(s.Unready([]string{r.Name})) == 0 {
			ready = append(ready, r.Name)
		}
	}
	k.exact = int(max(1, min(exactItems, exactCalls/calls)))
	return k, k.compile(ready)
}

// errNotAsked is what a plan's judges would be told if they asked.
var errNotAsked = errors.New("a plan asks nobody")

// compile makes the ladders of rubrics whose layers all run.
func (k *asking) compile(ready []string) error {
	if len(ready) == 0 {
		return nil
	}
	program, err := k.suite.Program(ready, suite.Means{
		Ask:    func(context.Context, paid.Question) (paid.Answer, error) { return paid.Answer{}, errNotAsked },
		Client: func(name string) judge.Client { return k.clients[name] },
		File:   func(newel.Hash) ([]byte, error) { return nil, errNotAsked },
	})
	if err != nil {
		return err
	}
	for _, r := range program.Rubrics {
		of := k.rubrics[r.Index]
		of.climb = r
		of.judge, _ = r.Judge.(*judge.Judge)
		r.Judge, r.Sample, r.Audit = reached{}, 1, 1
	}
	return nil
}

// reached stands in a judge's place and says nothing, so that the row shows who
// settled it below.
type reached struct{}

func (reached) Name() string { return "judge" }

func (reached) Score(context.Context, *newel.Subject) newel.Score {
	return newel.Score{Layer: newel.Judge}
}

// weightOf is for how many items an item is looked at; 0: it is not.
func (k *asking) weightOf(n int) int {
	weight, end := 1, k.exact
	for n >= end {
		weight *= 10
		end += weight * k.exact
	}
	if weight > 1 && xxhash.Sum64String(strconv.Itoa(n))%uint64(weight) != 0 {
		return 0
	}
	return weight
}

// chunk looks at a chunk's items. It serves several goroutines.
func (k *asking) chunk(ctx context.Context, c eval.Content) error {
	if k == nil {
		return nil
	}
	for i, it := range c.Batch.Items {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		weight := k.weightOf(it.N)
		for _, r := range k.rubrics {
			if r == nil || !c.Batch.Entries[i].Applies.Has(r.index) {
				continue
			}
			k.count(r, weight)
			if weight > 0 {
				k.look(ctx, r, it, weight)
			}
		}
	}
	return nil
}

// count notes a row.
func (k *asking) count(r *askedRubric, weight int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r.rows++
	r.looked += min(1, weight)
}

// mostAudited is a bound for the share of settled rows that are audited: where
// the plan fixes it, it only falls as rows come.
func (k *asking) mostAudited(r *askedRubric) float64 {
	if r.audit >= 0 {
		return r.audit
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return eval.Audit(r.rows)
}

// look climbs with an item and notes what its judge would be asked.
func (k *asking) look(ctx context.Context, r *askedRubric, it *newel.Item, weight int) {
	s := newel.NewSubject(it)
	draw := ladder.Draw(k.suite.Seed, r.Name, it)
	fetched := k.suite.Targets != nil && it.Case.Output == nil && it.Case.Outputs == nil
	if r.climb == nil || fetched {
		k.mayAsk(r, unseenRow{draw, r.callsOf(s), weight})
		return
	}
	res := r.climb.Climb(ctx, s)
	settled := res.Audit != nil
	if n := len(res.Scores); n == 0 || res.Scores[n-1].Layer != newel.Judge {
		k.note(func() { r.broken += weight })
		return
	}
	inclusion := r.sample
	if settled {
		inclusion = k.mostAudited(r)
	}
	var calls []wantedCall
	if draw < inclusion {
		calls = k.wanted(ctx, r, s, wantedCall{item: it.N, weight: weight, draw: draw, settled: settled})
	}
	k.note(func() {
		if settled {
			r.settled += weight
		} else {
			r.residual += weight
			if draw < r.sample {
				r.drawn += weight
			}
		}
		r.calls = append(r.calls, calls...)
	})
}

// mayAsk notes a row of which it is not known who settles it.
func (k *asking) mayAsk(r *askedRubric, row unseenRow) {
	most := max(r.sample, k.mostAudited(r))
	k.note(func() {
		r.unready += row.weight
		if row.draw < most {
			r.unseen = append(r.unseen, row)
		}
	})
}

func (k *asking) note(do func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	do()
}

// wanted lists the calls of a row, each like one. A case that its judge answers
// for without asking has none.
func (k *asking) wanted(ctx context.Context, r *askedRubric, s *newel.Subject, one wantedCall) []wantedCall {
	planned, err := r.judge.Calls(ctx, s)
	if err != nil {
		return nil
	}
	client := k.clients[r.Judge.Def.Gateway]
	out := make([]wantedCall, len(planned))
	for i, p := range planned {
		c := one
		c.key, c.model = p.Key, p.Model
		c.likely, c.priced = client.Likely(p.Body)
		c.worst, _ = client.Worst(p.Body)
		c.least, _ = client.Least(p.Body)
		out[i] = c
	}
	return out
}

// callsOf is how many calls a row takes, with the criteria that its case brings.
func (r *askedRubric) callsOf(s *newel.Subject) int {
	from := r.Judge.Def.Criteria.From
	if from.IsZero() {
		return r.Judge.Calls
	}
	if v, err := s.Lookup(from); err == nil {
		if list, ok := v.([]any); ok {
			return r.Judge.Calls * max(1, len(list))
		}
	}
	return r.Judge.Calls
}

// unpriced says which models no budget can hold, since they have no price.
func (k *asking) unpriced(only []string) []string {
	if k == nil {
		return nil
	}
	err := k.suite.Unpriced(only, func(gateway, model string) bool { return k.clients[gateway].Priced(model) })
	var list *newel.Mistakes
	if !errors.As(err, &list) {
		return nil
	}
	var out []string
	for _, m := range list.List() {
		out = append(out, m.String())
	}
	return out
}
