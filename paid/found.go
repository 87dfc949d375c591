package paid

import (
	"context"
	"fmt"
	"sync"

	"newel"
)

// found keeps what the journal said about keys that will be asked for soon: the
// reply, or that there is none. It holds two generations of a bounded size;
// what is forgotten is asked for again.
type found struct {
	journal newel.Journal
	run     string
	reuse   newel.Window

	mu       sync.Mutex
	young    map[newel.Hash]*newel.Entry // nil: there is no reply
	old      map[newel.Hash]*newel.Entry
	bytes    int // of replies in young
	fetching int
	news     map[newel.Hash]bool // keys that got their reply while others were being fetched
}

// Bounds of one generation.
const (
	keysKept  = 16 << 10
	bytesKept = 32 << 20
)

// find returns the entry for a key.
func (f *found) find(ctx context.Context, key newel.Hash) (newel.Entry, bool, error) {
	if e, ok := f.known(key); ok {
		if e == nil {
			return newel.Entry{}, false, nil
		}
		return *e, true, nil
	}
	got, err := f.journal.Replies(ctx, f.run, []newel.Hash{key}, f.reuse)
	if err != nil {
		return newel.Entry{}, false, fmt.Errorf("look for a reply: %w", err)
	}
	e, ok := got[key]
	return e, ok, nil
}

func (f *found) known(key newel.Hash) (*newel.Entry, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, ok := f.young[key]
	if !ok {
		e, ok = f.old[key]
	}
	return e, ok
}

// prefetch asks the journal for those of the keys that are not known.
func (f *found) prefetch(ctx context.Context, keys []newel.Hash) error {
	f.mu.Lock()
	var ask []newel.Hash
	for _, k := range keys {
		_, young := f.young[k]
		_, old := f.old[k]
		if !young && !old {
			ask = append(ask, k)
		}
	}
	f.fetching++
	f.mu.Unlock()
	var got map[newel.Hash]newel.Entry
	var err error
	if len(ask) > 0 {
		got, err = f.journal.Replies(ctx, f.run, ask, f.reuse)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.keep(ask, got)
	}
	if f.fetching--; f.fetching == 0 {
		f.news = nil
	}
	if err != nil {
		return fmt.Errorf("look for replies: %w", err)
	}
	return nil
}

func (f *found) keep(keys []newel.Hash, got map[newel.Hash]newel.Entry) {
	for _, k := range keys {
		e, ok := got[k]
		if !ok && f.news[k] {
			continue // what was read is out of date
		}
		if f.young == nil || len(f.young) >= keysKept || f.bytes >= bytesKept {
			f.old, f.young, f.bytes = f.young, map[newel.Hash]*newel.Entry{}, 0
		}
		f.young[k] = nil
		if ok {
			f.young[k] = &e
			f.bytes += len(e.Reply) + len(e.Call)
		}
	}
}

// forget says that a key may have a reply now.
func (f *found) forget(key newel.Hash) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.young, key)
	delete(f.old, key)
	if f.fetching > 0 {
		if f.news == nil {
			f.news = map[newel.Hash]bool{}
		}
		f.news[key] = true
	}
}
