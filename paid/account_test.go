package paid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func keyOf(n int) newel.Hash { return newel.HashOf([]byte(fmt.Sprint(n))) }

func usd(m newel.Money) newel.Charge {
	return newel.Charge{USD: &m, Status: newel.CostGateway}
}

// good is an attempt that brings a reply for an amount.
func good(text string, cost newel.Money) Attempt {
	return Attempt{Reply: []byte(text), Call: newel.Call{Status: 200, Outcome: "ok", Cost: usd(cost)}}
}

func bad(f Fault) Attempt { return Attempt{Fault: &f} }

// script sends one attempt after the other, the last one for ever.
func script(attempts ...Attempt) (func(context.Context) Attempt, *atomic.Int64) {
	var n atomic.Int64
	return func(context.Context) Attempt {
		return attempts[min(int(n.Add(1)), len(attempts))-1]
	}, &n
}

func question(n int, send func(context.Context) Attempt) Question {
	return Question{Key: keyOf(n), Kind: "judge", Lane: "main/m", Worst: 10, Retries: 2, Timeout: 5 * time.Second, Send: send}
}

// inBubble runs a test in simulated time with an account that is closed at its
// end.
func inBubble(t *testing.T, o Options, test func(t *testing.T, a *Account)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if o.Run == "" {
			o.Run = "r"
		}
		if o.Random == nil {
			o.Random = func() float64 { return 0.5 }
		}
		a := New(o)
		defer func() {
			if err := a.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		test(t, a)
	})
}

// seen is what is left of a call in the journal.
type seen struct {
	Reply, Fault string
	Cost         string
	Held         newel.Money
	Attempts     int
	Tries        string
	Good         bool
}

func look(t *testing.T, e newel.Entry) seen {
	t.Helper()
	var c newel.Call
	if err := json.Unmarshal(e.Call, &c); err != nil {
		t.Fatal(err)
	}
	s := seen{Reply: string(e.Reply), Held: e.Held, Attempts: c.Attempts, Good: e.Good, Cost: "unknown"}
	if e.Cost != nil {
		s.Cost = e.Cost.String()
	}
	if c.Error != nil {
		s.Fault = c.Error.Error()
	}
	var tries []string
	for _, try := range c.Tries {
		text := try.Outcome
		if try.MayCost {
			text += "?"
		}
		tries = append(tries, text)
	}
	s.Tries = strings.Join(tries, " ")
	if c.Key != e.Key || c.Kind != "judge" || c.Cost.Held != e.Held || (c.Cost.Exact() != (e.Cost != nil)) {
		t.Errorf("the call does not agree with its entry: %+v", c)
	}
	return s
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	const p = "0.00000000000"
	busy := bad(Fault{Kind: newel.KindGateway, Message: "slow down", Throttled: true, Again: true, After: time.Second})
	hang := bad(Fault{Kind: newel.KindTimeout, Message: "no answer", Again: true, MayCost: true})
	broken := bad(Fault{Kind: newel.KindGateway, Message: "HTTP 500", Again: true})
	denied := bad(Fault{Kind: newel.KindGateway, Message: "HTTP 401"})
	billed := broken
	billed.Call.Cost = usd(4)
	unknown := good("yes", 0)
	unknown.Call.Cost = newel.Charge{Status: newel.CostUnknown}
	atMost := good("yes", 0)
	six := newel.Money(6)
	atMost.Call.Cost = newel.Charge{USD: &six, Status: newel.CostUpperBound}
	tests := []struct {
		name     string
		attempts []Attempt
		want     seen
		sent     int64
		took     time.Duration // 0: not looked at
	}{
		{"a reply at once", []Attempt{good("yes", 3)}, seen{Reply: "yes", Cost: p + "3", Attempts: 1, Good: true}, 1, 0},
		{"being throttled uses up no retries", []Attempt{busy, busy, busy, busy, good("yes", 3)},
			seen{Reply: "yes", Cost: p + "3", Attempts: 5, Tries: "rate_limited rate_limited rate_limited rate_limited", Good: true}, 5, 4200 * time.Millisecond},
		{"a hang may have cost its worst price", []Attempt{hang, good("yes", 3)},
			seen{Reply: "yes", Cost: p + "3", Held: 10, Attempts: 2, Tries: "timeout?", Good: true}, 2, 375 * time.Millisecond},
		{"retries are used up", []Attempt{broken}, seen{Fault: "gateway: HTTP 500", Cost: "0", Attempts: 3, Tries: "gateway_error gateway_error"}, 3, 1125 * time.Millisecond},
		{"hangs alone leave an unknown cost", []Attempt{hang}, seen{Fault: "timeout: no answer", Cost: "unknown", Held: 30, Attempts: 3, Tries: "timeout? timeout?"}, 3, 0},
		{"what another attempt does not help is final", []Attempt{denied}, seen{Fault: "gateway: HTTP 401", Cost: "0", Attempts: 1}, 1, 0},
		{"a failed attempt that was billed counts", []Attempt{billed, good("yes", 3)},
			seen{Reply: "yes", Cost: p + "7", Attempts: 2, Tries: "gateway_error", Good: true}, 2, 0},
		{"an unknown cost holds the worst price", []Attempt{unknown}, seen{Reply: "yes", Cost: "unknown", Held: 10, Attempts: 1, Good: true}, 1, 0},
		{"an unknown cost holds what was billed before too", []Attempt{billed, unknown},
			seen{Reply: "yes", Cost: "unknown", Held: 14, Attempts: 2, Tries: "gateway_error", Good: true}, 2, 0},
		{"an upper bound is what is held", []Attempt{atMost}, seen{Reply: "yes", Cost: "unknown", Held: 6, Attempts: 1, Good: true}, 1, 0},
		{"nothing at all is a fault of ours", []Attempt{{}}, seen{Fault: "internal: there is neither a reply nor a fault", Cost: "unknown", Held: 10, Attempts: 1}, 1, 0},
		{"a panic is a fault of ours", []Attempt{{Reply: []byte("panic")}}, seen{Fault: "internal: panic: oops", Cost: "unknown", Held: 10, Attempts: 1}, 1, 0},
		{"what cannot be read is kept and not good", []Attempt{good("nonsense", 3)}, seen{Reply: "nonsense", Cost: p + "3", Attempts: 1}, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(0)
			inBubble(t, Options{Journal: s, InFlight: 4}, func(t *testing.T, a *Account) {
				send, n := script(tt.attempts...)
				q := question(1, send)
				q.Reads = func(reply []byte) bool {
					if string(reply) == "panic" {
						panic("oops")
					}
					return string(reply) == "yes"
				}
				start := time.Now()
				got, err := a.Ask(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				took := time.Since(start)
				all := s.of(q.Key)
				if len(all) != 1 || len(s.intents) != 0 {
					t.Fatalf("%d entries and %d open intents", len(all), len(s.intents))
				}
				if diff := cmp.Diff(tt.want, look(t, all[0])); diff != "" {
					t.Error(diff)
				}
				want := Answer{Reply: all[0].Reply, Ref: newel.CallRef{Key: q.Key, Reply: newel.HashOf(all[0].Reply)}}
				if all[0].Fault {
					kind, message, _ := strings.Cut(tt.want.Fault, ": ")
					want = Answer{Fault: &newel.ScoreError{Kind: newel.ErrorKind(kind), Message: message}, Ref: newel.CallRef{Key: q.Key, Seq: 1}}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				if n.Load() != tt.sent || tt.took > 0 && took != tt.took {
					t.Errorf("%d attempts in %s, want %d in %s", n.Load(), took, tt.sent, tt.took)
				}
			})
		})
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	window := newel.Window{From: day, To: day.AddDate(0, 0, 1)}
	entry := func(run, text string, at time.Time, good bool) newel.Entry {
		return newel.Entry{Key: keyOf(1), Run: run, At: at, Good: good, Reply: []byte(text), Call: []byte("{}")}
	}
	tests := []struct {
		name    string
		entries []newel.Entry
		want    string
		run     string
	}{
		{"the run's own comes first", []newel.Entry{entry("a", "theirs", day, true), entry("r", "ours", day, false)}, "ours", ""},
		{"another run's is used again", []newel.Entry{entry("a", "theirs", day, true)}, "theirs", "a"},
		{"one that could not be read is not", []newel.Entry{entry("a", "theirs", day, false)}, "new", ""},
		{"one that is too old is not", []newel.Entry{entry("a", "theirs", day.Add(-1), true)}, "new", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(0)
			_ = s.PutEntries(t.Context(), tt.entries)
			inBubble(t, Options{Journal: s, Reuse: window}, func(t *testing.T, a *Account) {
				send, _ := script(good("new", 1))
				got, err := a.Ask(t.Context(), question(1, send))
				if err != nil {
					t.Fatal(err)
				}
				want := Answer{Reply: []byte(tt.want), Ref: newel.CallRef{Key: keyOf(1), Reply: newel.HashOf([]byte(tt.want)), Run: tt.run}}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				again, err := a.Ask(t.Context(), question(1, nil))
				if err != nil || string(again.Reply) != tt.want {
					t.Errorf("asked again: %q, %v", again.Reply, err)
				}
			})
		})
	}
}

func TestSameKeyIsOneCall(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		var sent atomic.Int64
		send := func(context.Context) Attempt {
			sent.Add(1)
			time.Sleep(time.Second)
			return good("yes", 1)
		}
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if got, err := a.Ask(t.Context(), question(1, send)); err != nil || string(got.Reply) != "yes" {
					t.Errorf("%q, %v", got.Reply, err)
				}
			})
		}
		group.Wait()
		if c := a.Counts(); sent.Load() != 1 || c.Shared != 9 || c.Calls != 1 || c.Asked != 10 {
			t.Errorf("%d sent, %+v", sent.Load(), c)
		}
	})
}

func TestStopping(t *testing.T) {
	t.Parallel()
	t.Run("a call under way is finished and its reply kept", func(t *testing.T) {
		t.Parallel()
		s := newShelf(0)
		inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
			ctx, cancel := context.WithCancelCause(t.Context())
			got, err := a.Ask(ctx, question(1, func(ctx context.Context) Attempt {
				cancel(errors.New("interrupt"))
				time.Sleep(time.Second)
				if ctx.Err() != nil {
					return bad(Fault{Kind: newel.KindTimeout})
				}
				return good("yes", 1)
			}))
			if err != nil || string(got.Reply) != "yes" || len(s.of(keyOf(1))) != 1 {
				t.Errorf("%q, %v", got.Reply, err)
			}
		})
	})
	t.Run("waiting for a slot stops at once and releases the money", func(t *testing.T) {
		t.Parallel()
		s := newShelf(0)
		inBubble(t, Options{Journal: s, InFlight: 1}, func(t *testing.T, a *Account) {
			ctx, cancel := context.WithCancelCause(t.Context())
			var group sync.WaitGroup
			for i := range 40 { // more than are let in: ten
				group.Go(func() {
					_, err := a.Ask(ctx, question(i, func(context.Context) Attempt {
						time.Sleep(3 * time.Second)
						return good("yes", 1)
					}))
					if err != nil && (!errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "interrupt")) {
						t.Error(err)
					}
				})
			}
			time.Sleep(time.Second)
			start := time.Now()
			cancel(errors.New("interrupt"))
			group.Wait()
			if took := time.Since(start); took != 2*time.Second { // of the one that was under way
				t.Errorf("took %s", took)
			}
			x, _ := s.Spending(t.Context(), "r")
			if x.Calls != 1 || x.Open != 0 || s.released != 9 {
				t.Errorf("%+v, %d released", x, s.released)
			}
		})
	})
	t.Run("between attempts it stops at once and keeps what they may have cost", func(t *testing.T) {
		t.Parallel()
		s := newShelf(0)
		inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			send, _ := script(bad(Fault{Kind: newel.KindTimeout, Again: true, MayCost: true, After: 10 * time.Second}))
			start := time.Now()
			_, err := a.Ask(ctx, question(1, send))
			if !errors.Is(err, ErrStopped) || time.Since(start) != time.Second {
				t.Errorf("%v after %s", err, time.Since(start))
			}
			all := s.of(keyOf(1))
			if len(all) != 1 || len(s.intents) != 0 {
				t.Fatalf("%d entries, %d intents", len(all), len(s.intents))
			}
			if diff := cmp.Diff(seen{Cost: "unknown", Held: 10, Attempts: 1}, look(t, all[0])); diff != "" {
				t.Error(diff)
			}
		})
	})
	t.Run("whoever asked the same goes on", func(t *testing.T) {
		t.Parallel()
		s := newShelf(0)
		s.slow = time.Second
		inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
			ctx, cancel := context.WithCancel(t.Context())
			send, _ := script(good("yes", 1))
			var group sync.WaitGroup
			group.Go(func() {
				if _, err := a.Ask(ctx, question(1, send)); !errors.Is(err, ErrStopped) {
					t.Error(err)
				}
			})
			synctest.Wait()
			group.Go(func() {
				if got, err := a.Ask(t.Context(), question(1, send)); err != nil || string(got.Reply) != "yes" {
					t.Error(got, err)
				}
			})
			synctest.Wait()
			cancel()
			group.Wait()
		})
	})
}

func TestThrottledForTooLong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		after time.Duration
		want  string
		sent  int64
	}{
		{"asked again for as long as patience lasts", time.Minute, "slow down: refused because of a limit for 4m2s in 5 attempts; it wants to be left alone for 1m0s more", 5},
		{"a pause beyond patience is not waited for", time.Hour, "slow down: refused because of a limit for 0s in 1 attempts; it wants to be left alone for 1h0m0s more", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(0)
			inBubble(t, Options{Journal: s, Patience: 4 * time.Minute}, func(t *testing.T, a *Account) {
				send, n := script(bad(Fault{Kind: newel.KindGateway, Message: "slow down", Throttled: true, After: tt.after}))
				got, err := a.Ask(t.Context(), question(1, send))
				if err != nil || got.Fault == nil {
					t.Fatal(got, err)
				}
				if got.Fault.Message != tt.want || n.Load() != tt.sent {
					t.Errorf("%d attempts: %s", n.Load(), got.Fault.Message)
				}
			})
		})
	}
}

func TestFaultsOfTheJournal(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		s.broken = errors.New("disk full")
		send, n := script(good("yes", 1))
		if _, err := a.Ask(t.Context(), question(1, send)); err == nil || err.Error() != "reserve: disk full" || n.Load() != 0 {
			t.Errorf("%v after %d attempts", err, n.Load())
		}
		s.broken = nil
		_, err := a.Ask(t.Context(), question(1, func(context.Context) Attempt {
			s.broken = errors.New("disk full")
			return good("yes", 1)
		}))
		if err == nil || err.Error() != "keep what was paid for: disk full" {
			t.Error(err)
		}
		s.broken = nil
		if _, err := a.Ask(t.Context(), question(1, send)); err != nil {
			t.Error(err)
		}
	})
}

func TestRecorded(t *testing.T) {
	t.Parallel()
	s := newShelf(0)
	yes, _ := script(good("yes", 1))
	no, _ := script(bad(Fault{Kind: newel.KindTimeout, Message: "no answer: at all"}))
	inBubble(t, Options{Journal: s}, func(t *testing.T, a *Account) {
		for n, send := range []func(context.Context) Attempt{yes, no} {
			if _, err := a.Ask(t.Context(), question(n, send)); err != nil {
				t.Fatal(err)
			}
		}
	})
	inBubble(t, Options{Journal: s, Recorded: true}, func(t *testing.T, a *Account) {
		if got, err := a.Ask(t.Context(), question(0, nil)); err != nil || string(got.Reply) != "yes" {
			t.Error(got, err)
		}
		got, err := a.Ask(t.Context(), question(1, nil))
		want := Answer{Ref: newel.CallRef{Key: keyOf(1), Seq: 1}, Fault: &newel.ScoreError{Kind: newel.KindTimeout, Message: "no answer: at all"}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if _, err := a.Ask(t.Context(), question(2, nil)); !errors.Is(err, ErrUnrecorded) {
			t.Error(err)
		}
	})
}

func TestLateCost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		known int // the look-up that knows; 0: none
		want  seen
		spent newel.Money
		took  time.Duration
	}{
		{"known at the third look", 3, seen{Reply: "yes", Cost: "0.000000000005", Held: 10, Attempts: 2, Tries: "timeout?", Good: true}, 5, 10500 * time.Millisecond},
		{"never known", 0, seen{Reply: "yes", Cost: "unknown", Held: 20, Attempts: 2, Tries: "timeout?", Good: true}, 0, 40500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(0)
				looks := 0
				a := New(Options{Journal: s, Run: "r", Random: func() float64 { return 0 }, LookUp: func(_ context.Context, c newel.Call) (newel.Call, bool, error) {
					if looks++; looks != tt.known {
						return c, false, nil
					}
					c.Cost = usd(5)
					return c, true, nil
				}})
				unknown := good("yes", 0)
				unknown.Call.Cost, unknown.Call.Generation = newel.Charge{}, "gen-1"
				send, _ := script(bad(Fault{Kind: newel.KindTimeout, Again: true, MayCost: true}), unknown)
				if _, err := a.Ask(t.Context(), question(1, send)); err != nil {
					t.Fatal(err)
				}
				if c := a.Counts(); c.LookUps != 1 || c.Held != 20 || c.Unknown != 1 {
					t.Errorf("%+v", c)
				}
				start := time.Now()
				if err := a.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %s", took)
				}
				if diff := cmp.Diff(tt.want, look(t, s.of(keyOf(1))[0])); diff != "" {
					t.Error(diff)
				}
				if c := a.Counts(); c.LookUps != 0 || c.Spent != tt.spent || c.Held != tt.want.Held {
					t.Errorf("%+v", c)
				}
			})
		})
	}
}
