package paid

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"newel"
)

// answered is a fault with what the far end said.
func answered(status int, outcome string, f Fault) Attempt {
	if f.Kind == "" {
		f.Kind = newel.KindGateway
	}
	f.Message = "as the script says"
	return Attempt{Fault: &f, Call: newel.Call{Status: status, Outcome: outcome}}
}

// askedUntilStopped asks one call after the other until one is stopped, at most 1000, and
// returns how many were answered.
func askedUntilStopped(t *testing.T, a *Account, from int, attempts ...Attempt) int {
	t.Helper()
	for n := range 1000 {
		q := question(from+n, func(context.Context) Attempt { return attempts[min(n, len(attempts)-1)] })
		_, err := a.Ask(t.Context(), q)
		if errors.Is(err, ErrStopped) {
			var why *RefusedError
			if !errors.As(err, &why) || a.Refused() == nil || *why != *a.Refused() || !strings.Contains(err.Error(), "as the script says") {
				t.Errorf("stopped by %v, refused %v", err, a.Refused())
			}
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if a.Refused() != nil {
		t.Errorf("it goes on, and still: %v", a.Refused())
	}
	return 1000
}

func TestALaneThatCanBringNoReplyStopsTheCalls(t *testing.T) {
	t.Parallel()
	const never = 1000
	key := answered(401, "client_error", Fault{})
	tests := []struct {
		name                 string
		fault                Attempt
		fresh, after, proven int // calls that are answered before: in a new run, after a reply, in one whose lanes are proven
	}{
		{"a wrong key", key, 2, 9, 9},
		{"a proxy's key", answered(407, "client_error", Fault{}), 2, 9, 9},
		{"no credit", answered(429, "budget", Fault{Kind: newel.KindLimit}), 2, 9, 9},
		{"a certificate or a redirect", answered(0, "gateway_error", Fault{}), 2, 9, 9},
		{"being throttled for ever", answered(429, "rate_limited", Fault{Throttled: true, Again: true, After: time.Hour}), 2, 9, 9},
		// Each takes 1.125 s with its retries; two minutes pass with the 108th.
		{"nobody there", answered(0, "upstream_error", Fault{Again: true}), 2, 107, 107},
		{"no rights", answered(403, "client_error", Fault{}), 2, never, never},
		{"no such model", answered(404, "client_error", Fault{}), 2, never, never},
		{"a wrong request", answered(400, "client_error", Fault{}), 19, never, never},
		{"a broken gateway", answered(500, "upstream_error", Fault{Again: true, MayCost: true}), 19, never, never},
		{"no answer", answered(0, "timeout", Fault{Kind: newel.KindTimeout, Again: true, MayCost: true}), 19, never, never},
		{"a guardrail", answered(403, "blocked", Fault{}), never, never, never},
		{"a case that is too long", answered(413, "client_error", Fault{Kind: newel.KindTooLarge}), never, never, never},
		{"a fault of ours", answered(0, "", Fault{Kind: newel.KindInternal}), never, never, never},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, Options{Journal: newShelf(0)}, func(t *testing.T, a *Account) {
				if n := askedUntilStopped(t, a, 0, tt.fault); n != tt.fresh {
					t.Errorf("in a new run %d are answered, want %d", n, tt.fresh)
				}
			})
			inBubble(t, Options{Journal: newShelf(0)}, func(t *testing.T, a *Account) {
				if n := askedUntilStopped(t, a, 0, good("yes", 1), tt.fault); n != min(tt.after+1, never) {
					t.Errorf("after a reply %d are answered, want %d", n-1, tt.after)
				}
			})
			inBubble(t, Options{Journal: newShelf(0), Proven: true}, func(t *testing.T, a *Account) {
				if n := askedUntilStopped(t, a, 0, tt.fault); n != tt.proven {
					t.Errorf("of a proven lane %d are answered, want %d", n, tt.proven)
				}
			})
			shelf := newShelf(0)
			inBubble(t, Options{Journal: shelf}, func(t *testing.T, a *Account) {
				if _, err := a.Ask(t.Context(), question(5000, func(context.Context) Attempt { return good("yes", 1) })); err != nil {
					t.Fatal(err)
				}
			})
			inBubble(t, Options{Journal: shelf}, func(t *testing.T, a *Account) {
				if n := askedUntilStopped(t, a, 0, tt.fault); n != tt.proven {
					t.Errorf("in a run that goes on %d are answered, want %d", n, tt.proven)
				}
			})
		})
	}
}

// What every call would meet with is not that where others have a reply.
func TestARowOfFaultsEndsWithAReply(t *testing.T) {
	t.Parallel()
	key, yes := answered(401, "client_error", Fault{}), good("yes", 1)
	attempts := []Attempt{key, key, answered(446, "blocked", Fault{}), key, key, yes}
	for range 20 {
		attempts = append(attempts, key, key, key, key, key, key, key, key, key, yes)
	}
	inBubble(t, Options{Journal: newShelf(0)}, func(t *testing.T, a *Account) {
		if n := askedUntilStopped(t, a, 0, attempts...); n != 1000 {
			t.Errorf("stopped after %d", n)
		}
	})
}

// What waits for a slot or for money is not sent once a lane is given up, and
// leaves nothing reserved.
func TestWhatWaitsIsNotSentOnceALaneIsGivenUp(t *testing.T) {
	t.Parallel()
	shelf := newShelf(0)
	inBubble(t, Options{Journal: shelf, InFlight: 4}, func(t *testing.T, a *Account) {
		sent, stopped := 0, 0
		results := make(chan error)
		for i := range 100 {
			go func() {
				_, err := a.Ask(t.Context(), question(i, func(context.Context) Attempt {
					time.Sleep(time.Second)
					return answered(401, "client_error", Fault{})
				}))
				results <- err
			}()
		}
		for range 100 {
			if err := <-results; errors.Is(err, ErrStopped) {
				stopped++
			} else if err != nil {
				t.Error(err)
			}
		}
		sent = int(a.Counts().Attempts)
		if sent > 8 || stopped < 92 {
			t.Errorf("%d sent and %d stopped", sent, stopped)
		}
		if sp, err := shelf.Spending(t.Context(), "r"); err != nil || sp.Open != 0 || sp.Reserved != 0 {
			t.Errorf("%+v, %v", sp, err)
		}
	})
}
