package paid

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"newel"
)

// found asks the journal for replies. Looks that come while it is being asked
// wait and are taken together in the next step: whoever has the turn asks for
// all that are there. No goroutine stands by, and nothing is delayed.
type found struct {
	journal newel.Journal
	run     string
	reuse   newel.Window

	mu    sync.Mutex // guards queue
	queue []*search
	turn  chan struct{} // holds one: whoever asks the journal
}

// search is one key that is looked for. Whoever has the turn writes the rest.
type search struct {
	key   newel.Hash
	done  bool
	alone bool // it went wrong for somebody of its group: each is to ask by itself
	entry newel.Entry
	ok    bool
}

// togetherAtMost bounds the keys of one look into the journal.
const togetherAtMost = 512

func newFound(o Options) *found {
	return &found{journal: o.Journal, run: o.Run, reuse: o.Reuse, turn: make(chan struct{}, 1)}
}

// find returns the entry for a key.
func (f *found) find(ctx context.Context, key newel.Hash) (newel.Entry, bool, error) {
	l := &search{key: key}
	f.mu.Lock()
	f.queue = append(f.queue, l)
	f.mu.Unlock()
	for {
		select {
		case f.turn <- struct{}{}:
		case <-ctx.Done():
			return newel.Entry{}, false, context.Cause(ctx) // somebody looks for it, and nobody minds
		}
		if l.done {
			<-f.turn
			break
		}
		f.together(ctx)
		<-f.turn
	}
	if l.alone {
		return f.one(ctx, key)
	}
	return l.entry, l.ok, nil
}

// together looks for what is in the queue.
func (f *found) together(ctx context.Context) {
	runtime.Gosched() // others are about to look as well
	f.mu.Lock()
	n := min(len(f.queue), togetherAtMost)
	group := f.queue[:n:n]
	f.queue = f.queue[n:]
	f.mu.Unlock()
	keys := make([]newel.Hash, n)
	for i, l := range group {
		keys[i] = l.key
	}
	got, err := f.journal.Replies(ctx, f.run, keys, f.reuse)
	for _, l := range group {
		l.entry, l.ok = got[l.key]
		l.done, l.alone = true, err != nil
	}
}

// one looks for a key by itself: another's may be damaged, or its caller gone.
func (f *found) one(ctx context.Context, key newel.Hash) (newel.Entry, bool, error) {
	got, err := f.journal.Replies(ctx, f.run, []newel.Hash{key}, f.reuse)
	if err != nil {
		return newel.Entry{}, false, fmt.Errorf("look for a reply: %w", err)
	}
	e, ok := got[key]
	return e, ok, nil
}
