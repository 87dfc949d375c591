package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"newel"
	"newel/pack"
)

// planner streams cases into chunks.
type planner struct {
	def      *Definition
	combos   [][]newel.Dim // of the matrix; one empty combination without
	put      Put
	ids      *idSet
	suspects []suspect
	mistakes newel.Mistakes
	batch    *pack.Batch
	builder  *pack.Builder
	next     int // number of the next item
	cases    int
	taken    int // cases that the selection took
	quiet    int // quarantined cases
	silent   int // cases without an output
	labels   *LabelCount
	unasked  []unasked
	rows     []int // of rubrics with a judge
	pending  chan closed
	hashes   []newel.Hash
	mu       sync.Mutex // guards hashes
}

// suspect is a case whose id was, by its 64-bit hash, there before.
type suspect struct {
	id  string
	pos newel.Pos
}

// closed is a chunk that is full, on its way to the store.
type closed struct {
	n, first int
	builder  *pack.Builder
	batch    *pack.Batch
}

// Content is what a chunk holds: the bytes to be stored, and the items decoded.
type Content struct {
	Index, Bodies []byte
	Batch         *pack.Batch
}

// Put takes a chunk of a plan in the making.
type Put func(ctx context.Context, info newel.ChunkInfo, c Content) error

// errEnough ends reading once a limit is reached.
var errEnough = errors.New("enough cases")

// MakePlan reads a definition's cases into chunks and hands each to put, from
// several goroutines and in no order. Everything wrong with the data comes back
// at once as *newel.Mistakes. Scan gives back the chunks that were put, for the
// exact look at ids that may stand twice.
func MakePlan(ctx context.Context, def *Definition, put Put,
	scan func(ctx context.Context, yield func(id string)) error) (newel.Plan, *Counts, error) {
	p := &planner{def: def, combos: combinations(def.Axes), put: put, ids: newIDSet(), rows: make([]int, len(def.Judged)), labels: NewLabelCount(def.Rubrics, def.Measures, def.Judged), pending: make(chan closed, 2)}
	p.open()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var encoders sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		encoders.Go(func() {
			for c := range p.pending {
				if err := p.encode(ctx, c); err != nil {
					stop(err)
				}
			}
		})
	}
	err := def.Read(ctx, func(list []CaseAt) error { return p.take(ctx, list) })
	if err == nil || errors.Is(err, errEnough) {
		err = p.close(ctx)
	}
	close(p.pending)
	encoders.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return newel.Plan{}, nil, cause
	}
	return p.finish(ctx, err, scan)
}

// Counts is what planning saw besides the plan.
type Counts struct {
	Silent   int // cases with neither an output nor a target to ask
	Recorded int // cases with an output
	Labels   *LabelCount
}

func (p *planner) finish(ctx context.Context, err error, scan func(context.Context, func(string)) error) (newel.Plan, *Counts, error) {
	p.noteUnasked()
	var list *newel.Mistakes
	if errors.As(err, &list) {
		p.mistakes.Merge(list)
	} else if err != nil {
		return newel.Plan{}, nil, err
	}
	if err := p.resolve(ctx, scan); err != nil {
		return newel.Plan{}, nil, err
	}
	if p.cases == 0 && p.mistakes.Len() == 0 {
		p.mistakes.Add(newel.Pos{File: p.def.Name}, "the data holds no case")
	} else if p.next == 0 && p.mistakes.Len() == 0 {
		p.mistakes.Add(newel.Pos{File: "--where"}, "it leaves none of %d cases", p.cases)
	}
	if err := p.mistakes.Err(); err != nil {
		return newel.Plan{}, nil, err
	}
	plan, err := p.plan()
	return plan, &Counts{Silent: p.silent, Recorded: p.cases - p.silent, Labels: p.labels}, err
}

func (p *planner) plan() (newel.Plan, error) {
	d := p.def
	plan := newel.Plan{
		Scoring: newel.Scoring, SuiteDigest: d.Digest, Items: p.next, Cases: p.taken, Chunks: len(p.hashes), Trials: d.Trials, Seed: d.Seed,
		Rubrics: d.Rubrics, Rulers: d.Rulers, Scorers: d.Scorers, Measures: d.Measures, Judged: d.Judged, Classified: d.Classified, Quarantined: p.quiet, Asks: d.Asks,
	}
	if slices.Contains(d.Judged, true) {
		plan.Audits = p.audits()
	}
	digest, err := planDigest(newel.Scoring, d.Digest, p.hashes)
	plan.Digest = digest
	return plan, err
}

// planDigest is the identity of a plan: the suite's digest and the chunks' in
// order.
func planDigest(scoring int, suite newel.Hash, chunks []newel.Hash) (newel.Hash, error) {
	raw, err := newel.CanonicalOf(map[string]any{"plan": 1, "scoring": scoring, "suite": suite, "chunks": chunks})
	return newel.HashOf(raw), err
}

// CheckPlan reports whether a run's chunks are those that its plan's digest
// was made of.
func CheckPlan(ctx context.Context, store newel.Store, run *newel.Run) error {
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return err
	}
	hashes := make([]newel.Hash, len(chunks))
	for i, c := range chunks {
		hashes[i] = c.Hash
	}
	digest, err := planDigest(run.Plan.Scoring, run.Plan.SuiteDigest, hashes)
	if err == nil && digest != run.Plan.Digest {
		err = fmt.Errorf("the stored plan of run %s does not match its digest: the store was changed or is damaged", run.ID)
	}
	return err
}

// combinations returns every combination of the axes, the last varying
// fastest.
func combinations(axes []Axis) [][]newel.Dim {
	out := [][]newel.Dim{nil}
	for _, a := range axes {
		var longer [][]newel.Dim
		for _, head := range out {
			for _, v := range a.Values {
				longer = append(longer, append(head[:len(head):len(head)], newel.Dim{Name: a.Name, Value: v}))
			}
		}
		out = longer
	}
	return out
}

func (p *planner) take(ctx context.Context, list []CaseAt) error {
	for i := range list {
		if err := p.one(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) one(ctx context.Context, at *CaseAt) error {
	c := at.Case
	p.cases++
	if !p.ids.add(c.ID) {
		p.suspects = append(p.suspects, suspect{c.ID, at.Place("id")})
		if len(p.suspects) > maxSuspects {
			return errEnough
		}
	}
	p.def.Check(at, &p.mistakes)
	if c.Output == nil && c.Outputs == nil {
		p.silent++
	}
	if ok, err := p.selected(ctx, at); err != nil || !ok {
		return err
	}
	if p.def.Limit > 0 && p.taken == p.def.Limit {
		return errEnough
	}
	p.taken++
	quarantined := p.def.Quarantined(c.ID)
	if quarantined {
		p.quiet++
	}
	if len(p.combos) > 1 && c.Output != nil {
		p.mistakes.Add(at.Place("output"), "case %q brings its output: a matrix asks a target, so over recorded outputs it makes no sense", c.ID)
	}
	return p.expand(ctx, at, quarantined)
}

func (p *planner) selected(ctx context.Context, at *CaseAt) (bool, error) {
	if p.def.Select == nil {
		return true, nil
	}
	ok, err := p.def.Select(ctx, newel.NewSubject(&newel.Item{Case: at.Case, Trial: 1}))
	if err != nil {
		p.unanswered(at, err.Error())
	}
	return ok, nil
}

// expand adds every combination and trial of a case.
func (p *planner) expand(ctx context.Context, at *CaseAt, quarantined bool) error {
	for n, combo := range p.combos {
		for trial := 1; trial <= p.def.Trials; trial++ {
			it := &newel.Item{N: p.next, Case: at.Case, Matrix: combo, Trial: trial}
			entry := pack.Entry{Matrix: combo, Trial: trial, Quarantined: quarantined}
			entry.Applies = p.def.Applies(ctx, it, at.Pos, &p.mistakes)
			p.countJudged(entry.Applies)
			if n == 0 && trial == 1 && !quarantined {
				p.labels.Add(at.Case.Labels, entry.Applies)
			}
			if err := p.builder.Add(at.Case, entry); err != nil {
				p.mistakes.Add(at.Pos, "%v", err)
				continue
			}
			entry.CaseIndex = p.builder.Cases() - 1
			p.batch.Items, p.batch.Entries = append(p.batch.Items, it), append(p.batch.Entries, entry)
			p.next++
			if p.builder.Full() {
				if err := p.close(ctx); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *planner) open() {
	if p.builder == nil {
		p.builder, p.batch = pack.NewBuilder(len(p.def.Rubrics)), &pack.Batch{}
		return
	}
	items := len(p.batch.Items)
	p.builder = p.builder.Next()
	p.batch = &pack.Batch{Items: make([]*newel.Item, 0, items), Entries: make([]pack.Entry, 0, items)}
}

// close sends the chunk on its way.
func (p *planner) close(ctx context.Context) error {
	if p.builder.Len() == 0 {
		return nil
	}
	n := len(p.hashes)
	p.mu.Lock()
	p.hashes = append(p.hashes, newel.Hash{})
	p.mu.Unlock()
	c := closed{n: n, first: p.next - p.builder.Len(), builder: p.builder, batch: p.batch}
	p.open()
	select {
	case p.pending <- c:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *planner) encode(ctx context.Context, c closed) error {
	index, bodies := c.builder.Bytes()
	c.batch.Scored = c.builder.Hashes()
	info := newel.ChunkInfo{N: c.n, Hash: newel.HashOf(index), Bodies: newel.HashOf(bodies), First: c.first, Items: len(c.batch.Items)}
	p.mu.Lock()
	p.hashes[c.n] = info.Hash
	p.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := p.put(ctx, info, Content{index, bodies, c.batch}); err != nil {
		return fmt.Errorf("store chunk %d of the plan: %w", c.n, err)
	}
	return nil
}

// resolve looks exactly at ids that may stand twice.
func (p *planner) resolve(ctx context.Context, scan func(context.Context, func(string)) error) error {
	if len(p.suspects) == 0 {
		return nil
	}
	count := make(map[string]int, len(p.suspects))
	for _, s := range p.suspects {
		count[s.id] = 0
	}
	err := scan(ctx, func(id string) {
		if _, ok := count[id]; ok {
			count[id]++
		}
	})
	if err != nil {
		return err
	}
	twice := slices.DeleteFunc(p.suspects, func(s suspect) bool { return count[s.id] < 2 })
	first := p.firsts(ctx, twice)
	for _, s := range twice {
		quoted, _ := json.Marshal(s.id)
		p.mistakes.Add(s.pos, "a second case has the id %s%s; ids are unique in a suite (id: hash makes one from the content)", quoted, first[s.id])
	}
	return nil
}

// firsts reads the cases once more for where ids stand first. It returns what
// to say of each, nothing of one that it does not find: it is a kindness to who
// looks for them, and no part of the plan.
func (p *planner) firsts(ctx context.Context, twice []suspect) map[string]string {
	found := make(map[string]string, len(twice))
	if len(twice) == 0 {
		return found
	}
	left := map[string]bool{}
	for _, s := range twice {
		left[s.id] = true
	}
	_ = p.def.Read(ctx, func(list []CaseAt) error {
		for _, at := range list {
			if left[at.Case.ID] {
				found[at.Case.ID] = ", the first stands at " + at.Place("id").String()
				delete(left, at.Case.ID)
			}
		}
		if len(left) == 0 {
			return errEnough
		}
		return nil
	})
	return found
}
