package data

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"newel"
)

// Entry is a case and where it was written.
type Entry struct {
	Case    *newel.Case
	Pos     newel.Pos // where the record begins; of a Parquet file, the row as a line
	in      origin
	mapping *mapping
}

// Batch is a run of cases. Their texts share memory with the batch, so who
// keeps a case for long copies it.
type Batch []Entry

// inFlight is how many bytes of records may be on their way at once; a single
// block may be larger.
const inFlight = 64 << 20

// Read decodes all cases with so many workers (0: one for each processor) and
// gives them to yield in the order in which they were written. It ends when
// yield returns an error, which it returns.
//
// Mistakes in the data do not end it: all cases that can be read are given,
// then the mistakes come back as a *newel.Mistakes, to be found with errors.As.
// Goroutines have ended when it returns.
func (s *Set) Read(ctx context.Context, workers int, yield func(Batch) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p := newPipeline(ctx, s, workers)
	defer p.close()
	defer cancel(errStop)
	p.start(workers)
	err := p.deliver(yield)
	cancel(errStop)
	p.wait.Wait()
	if err == nil {
		err = p.readErr
	}
	if err == nil {
		p.finish()
	}
	if m := p.wrong.Err(); m != nil {
		return errors.Join(err, m)
	}
	return err
}

// pipeline is one Read under way: a reader cuts files into blocks, workers
// decode them, deliver takes them in order.
type pipeline struct {
	ctx     context.Context
	set     *Set
	sources []*sourceRun
	work    chan *block // to the workers
	order   chan *block // the same blocks, in order
	budget  *budget
	decoder []*decoder
	wait    sync.WaitGroup
	readErr error // the reader's; to be read when order is closed
	wrong   newel.Mistakes
}

func newPipeline(ctx context.Context, s *Set, workers int) *pipeline {
	p := &pipeline{
		ctx: ctx, set: s, budget: newBudget(inFlight),
		work: make(chan *block, workers), order: make(chan *block, 2*workers),
	}
	for i, one := range s.list {
		p.sources = append(p.sources, &sourceRun{source: one, index: i})
	}
	return p
}

func (p *pipeline) start(workers int) {
	p.wait.Go(func() {
		defer close(p.order)
		defer close(p.work)
		p.readErr = p.readAll()
	})
	for range workers {
		d := newDecoder(p.ctx, p.set.folders)
		p.decoder = append(p.decoder, d)
		p.wait.Go(func() {
			for b := range p.work {
				d.decode(b)
				close(b.done)
			}
		})
	}
}

// close waits for the goroutines, also after a panic of yield's, and lets go
// of what joins hold.
func (p *pipeline) close() {
	p.wait.Wait()
	for _, s := range p.sources {
		s.lookup.close()
	}
}

// hand puts a block on its way. The order is kept by a second channel; memory
// by the budget.
func (p *pipeline) hand(b *block) error {
	if err := p.budget.take(p.ctx, b.size); err != nil {
		return err
	}
	for _, to := range []chan *block{p.order, p.work} {
		select {
		case to <- b:
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		}
	}
	return nil
}

// readAll reads every file of every source. It returns errors of the machine
// only.
func (p *pipeline) readAll() error {
	for _, src := range p.sources {
		if err := p.readSource(src); err != nil && !errors.Is(err, errStop) {
			return err
		}
	}
	return nil
}

func (p *pipeline) readSource(src *sourceRun) error {
	if src.join != nil {
		ok, err := p.load(src)
		if err != nil || !ok {
			return err
		}
	}
	if src.inline != nil {
		return p.readInline(src)
	}
	for _, file := range src.files {
		err := p.readFile(src, file)
		if errors.Is(err, errStop) && !src.stopped.Load() {
			continue // only of this file
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pipeline) readFile(src *sourceRun, file *dataFile) error {
	run := &fileRun{dataFile: file}
	s := &sink{ctx: p.ctx, src: src, file: run, hand: p.hand}
	s.columns = func(names []string) {
		before := s.block().wrong.Len()
		names, all := src.lookup.brings(names)
		if !all {
			return
		}
		src.mapping.lacking(file.shown, names, file.format.flat, &s.block().wrong)
		s.wrongs += s.block().wrong.Len() - before
	}
	return p.set.folders.read(s)
}

func (p *pipeline) readInline(src *sourceRun) error {
	run := &fileRun{dataFile: &dataFile{at: p.set.folders.suite(), shown: src.pos.File}}
	s := &sink{ctx: p.ctx, src: src, file: run, hand: p.hand}
	if err := readInline(src.inline, s); err != nil {
		return err
	}
	return s.flush()
}

// deliver gives batches to yield, in order.
func (p *pipeline) deliver(yield func(Batch) error) error {
	for b := range p.order {
		select {
		case <-b.done:
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		}
		batch := p.take(b)
		if len(batch) > 0 {
			if err := yield(batch); err != nil {
				return err
			}
		}
		p.budget.free(b.size)
	}
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	return nil
}

// take notes what a block brings and returns those of its cases that are
// wanted.
func (p *pipeline) take(b *block) Batch {
	if b.src.stopped.Load() || b.file.dead {
		return nil
	}
	batch := Batch(b.entries)
	if limit := b.src.limit; limit > 0 && b.src.given+len(batch) >= limit {
		batch = batch[:limit-b.src.given]
		b.src.stopped.Store(true)
		b.wrong = upTo(&b.wrong, batch[len(batch)-1].Pos)
	}
	b.src.given += len(batch)
	p.wrong.Merge(&b.wrong)
	b.src.wrong += b.wrong.Len()
	b.src.seen += b.decoded
	if b.broken && b.file.whole {
		b.file.dead = true
		b.file.stopped.Store(true)
	}
	return batch
}

// upTo returns the mistakes that stand no further than the last case wanted,
// and those of the suite.
func upTo(all *newel.Mistakes, last newel.Pos) newel.Mistakes {
	var kept newel.Mistakes
	for _, one := range all.List() {
		if one.Pos.Line <= last.Line || one.Pos.File != last.File {
			kept.Add(one.Pos, "%s", one.Msg)
		}
	}
	return kept
}

// finish notes what only shows at the end: a where that lets nothing through,
// and mapped columns that no record had.
func (p *pipeline) finish() {
	for _, src := range p.sources {
		if src.stopped.Load() || src.seen == 0 || src.wrong > 0 {
			continue
		}
		if src.given == 0 {
			p.wrong.Add(src.wherePos, "where: it leaves none of %d cases: %s", src.seen, src.where.Source())
		}
		src.mapping.misspelt(p.columnNames(src), &p.wrong)
	}
}

// columnNames collects the columns that the workers met.
func (p *pipeline) columnNames(src *sourceRun) map[string]bool {
	names := map[string]bool{}
	for _, d := range p.decoder {
		d.names(src, names)
	}
	return names
}

// budget bounds the bytes under way. One goroutine takes, another frees.
type budget struct {
	mu    sync.Mutex
	used  int64
	most  int64
	freed chan struct{}
}

func newBudget(most int64) *budget { return &budget{most: most, freed: make(chan struct{}, 1)} }

// take waits until n fit, or nothing else is under way.
func (b *budget) take(ctx context.Context, n int64) error {
	for {
		b.mu.Lock()
		if b.used == 0 || b.used+n <= b.most {
			b.used += n
			b.mu.Unlock()
			return nil
		}
		b.mu.Unlock()
		select {
		case <-b.freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (b *budget) free(n int64) {
	b.mu.Lock()
	b.used -= n
	b.mu.Unlock()
	select {
	case b.freed <- struct{}{}:
	default:
	}
}

// failed names the file that the machine could not read.
func failed(file *dataFile, err error) error { return fmt.Errorf("read %s: %w", file.shown, err) }
