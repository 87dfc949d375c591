package paid

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"newel"
)

// keep puts replies to the first n keys on the shelf.
func (s *shelf) keep(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		_ = s.PutEntries(t.Context(), []newel.Entry{{Key: keyOf(i), Run: "r", Good: true, Reply: []byte("yes"), Call: []byte("{}")}})
	}
}

func TestLooksThatComeAtTheSameTimeAreTakenTogether(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	s.keep(t, 1000)
	s.slow = time.Second
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		var group sync.WaitGroup
		for i := range 1000 {
			group.Go(func() {
				if got, err := a.Ask(t.Context(), question(i, nil)); err != nil || string(got.Reply) != "yes" {
					t.Errorf("%q, %v", got.Reply, err)
				}
			})
		}
		group.Wait()
		if s.asked > 4 {
			t.Errorf("the journal was asked %d times for 1000 keys, at most %d at a time", s.asked, togetherAtMost)
		}
	})
}

func TestADamagedReplyIsNobodyElses(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	s.keep(t, 20)
	s.damaged = keyOf(7)
	s.slow = time.Second
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				got, err := a.Ask(t.Context(), question(i, nil))
				if i == 7 && !errors.Is(err, errDamaged) || i != 7 && (err != nil || string(got.Reply) != "yes") {
					t.Errorf("key %d: %q, %v", i, got.Reply, err)
				}
			})
		}
		group.Wait()
	})
}

func TestWhoLeavesWhileRepliesAreLookedForLeavesAtOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	s.keep(t, 3)
	s.slow = time.Minute
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		var group sync.WaitGroup
		group.Go(func() {
			if got, err := a.Ask(t.Context(), question(0, nil)); err != nil || string(got.Reply) != "yes" {
				t.Errorf("%q, %v", got.Reply, err)
			}
		})
		synctest.Wait()
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		begun := time.Now()
		if _, err := a.Ask(ctx, question(1, nil)); !errors.Is(err, ErrStopped) || time.Since(begun) != time.Second {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		if got, err := a.Ask(t.Context(), question(2, nil)); err != nil || string(got.Reply) != "yes" {
			t.Errorf("who came behind: %q, %v", got.Reply, err)
		}
		group.Wait()
	})
}
