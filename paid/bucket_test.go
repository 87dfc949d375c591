package paid

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"newel"
)

func TestRate(t *testing.T) {
	t.Parallel()
	tokens := func(in, out int64) newel.Usage { return newel.Usage{Input: &in, Output: &out} }
	tests := []struct {
		name  string
		rate  Rate
		guess int64
		used  newel.Usage
		want  int64 // attempts in a minute
	}{
		{"calls a minute", Rate{RPM: 60}, 0, newel.Usage{}, 60},
		{"many calls a minute", Rate{RPM: 6000}, 0, newel.Usage{}, 6000},
		{"tokens a minute as estimated", Rate{TPM: 60_000}, 500, newel.Usage{}, 120},
		{"tokens a minute as used", Rate{TPM: 60_000}, 500, tokens(90, 10), 600},
		{"more used than estimated", Rate{TPM: 60_000}, 10, tokens(450, 50), 120},
		{"a call that no second brings", Rate{TPM: 600}, 100, newel.Usage{}, 6},
		{"the lower of both", Rate{RPM: 600, TPM: 60_000}, 500, newel.Usage{}, 120},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{Journal: newShelf(0), InFlight: 200, Rate: tt.rate}, func(t *testing.T, a *Account) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				var sent atomic.Int64
				keep := func(context.Context) Attempt {
					sent.Add(1)
					time.Sleep(100 * time.Millisecond)
					got := good("yes", 1)
					got.Call.Usage = tt.used
					return got
				}
				keepAsking(ctx, a, 20, keep, func(q *Question) { q.Tokens = tt.guess }).Wait()
				// The bucket is full at first, and may be overdrawn by what is under way.
				least, most := tt.want*95/100, tt.want*103/100+20
				if n := sent.Load(); n < least || n > most {
					t.Errorf("%d in a minute, want %d to %d", n, least, most)
				}
			})
		})
	}
}
