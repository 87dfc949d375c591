package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"newel"
	"newel/paid"
	"newel/store/sqlite"
)

// What payers share. Some of their calls cost twice what was thought the most.
const (
	payers     = 4
	payerCalls = 16 // under way in each
	payerWorst = newel.Dollar / 250
)

// payerVariable makes the test binary a process that spends the budget of run x
// in a store: its value is a number, a space and the store's file.
const payerVariable = "NEWEL_TEST_PAYER"

// payer asks until the budget is spent.
func payer(what string) error {
	number, file, _ := strings.Cut(what, " ")
	own, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	ctx := context.Background()
	store, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	a := paid.New(paid.Options{Journal: store, Run: "x", InFlight: payerCalls})
	errs := make([]error, payerCalls)
	var all sync.WaitGroup
	for lane := range payerCalls {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(own), uint64(lane)))
			for n := 0; errs[lane] == nil; n++ {
				q := paid.Question{Key: newel.HashOf(fmt.Appendf(nil, "%d %d %d", own, lane, n)), Kind: "judge", Lane: "main/m", Worst: payerWorst}
				took, kind, share := time.Duration(random.Int64N(int64(2*time.Millisecond))), random.IntN(20), random.Int64N(100)
				q.Send = func(context.Context) paid.Attempt {
					time.Sleep(took)
					return charged(kind, share)
				}
				_, errs[lane] = a.Ask(ctx, q)
			}
			if errors.Is(errs[lane], newel.ErrSpent) {
				errs[lane] = nil
			}
		})
	}
	all.Wait()
	return errors.Join(append(errs, a.Close(ctx))...)
}

// charged is an attempt that costs a part of its worst price, or an unknown
// amount, or, rarely, twice the worst price.
func charged(kind int, share int64) paid.Attempt {
	cost := payerWorst * newel.Money(share) / 100
	got := paid.Attempt{Reply: []byte("{}"), Call: newel.Call{Status: 200, Outcome: "ok", Cost: newel.Charge{USD: &cost, Status: newel.CostBilled}}}
	switch kind {
	case 0:
		cost = 2 * payerWorst
	case 1:
		got.Call.Cost = newel.Charge{Status: newel.CostUnknown}
	case 2:
		got = paid.Attempt{Fault: &paid.Fault{Kind: newel.KindTimeout, Message: "no answer", MayCost: true}}
	}
	return got
}

func TestNoRunOfManyProcessesSpendsMoreThanItsBudget(t *testing.T) {
	t.Parallel()
	const most = newel.Dollar + payers*payerCalls*payerWorst
	for i := range times(2, 20) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := opened(t, dir)
			defer s.Close()
			budget := newel.Dollar
			if err := errors.Join(s.CreateRun(t.Context(), &newel.Run{ID: "x"}), s.SetBudget(t.Context(), "x", &budget)); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			var all sync.WaitGroup
			for n := range payers {
				cmd := exec.Command(os.Args[0])
				cmd.Env = []string{fmt.Sprintf("%s=%d %s", payerVariable, payers*i+n, dbIn(dir))}
				p := beginCommand(t, dir, cmd)
				all.Go(func() {
					<-p.done
					if code := p.cmd.ProcessState.ExitCode(); code != 0 {
						t.Errorf("payer %d: exit %d\n%s", n, code, p.err)
					}
				})
			}
			go func() {
				all.Wait()
				close(ended)
			}()
			var peak newel.Money
			looks := 0
			use := func() newel.Spending {
				sp, err := s.Spending(t.Context(), "x")
				if err != nil {
					t.Error(err)
				}
				peak = max(peak, sp.Spent+sp.Held+sp.Reserved)
				looks++
				return sp
			}
			await(t, "the payers to end", func() bool {
				use()
				select {
				case <-ended:
					return true
				default:
					return false
				}
			}, nil)
			sp := use()
			if peak > most {
				t.Errorf("$%s was spent, held and reserved at a time, at most $%s", peak, most)
			}
			if sp.Reserved != 0 || sp.Open != 0 || sp.Spent+sp.Held < newel.Dollar-payers*payerCalls*payerWorst {
				t.Errorf("in the end %+v", sp)
			}
			t.Logf("%d looks, at most $%s; spent $%s, held $%s, %d calls", looks, peak, sp.Spent, sp.Held, sp.Calls)
		})
	}
}

// A budget that is too small ends the run without rows for the rest, and more of
// it lets the run go on to what it would have been.
func TestARunWhoseBudgetIsSpentGoesOnWithMore(t *testing.T) {
	t.Parallel()
	const cases = 200
	o := setting{cases: cases, judge: "  in_flight: 8\n"}
	want := undisturbedDigest(t, o)
	o.top = "budget: {usd: 0.02}\n"
	b := newBench(t, o)
	got := b.run(t, exitIncomplete, "x")
	for _, text := range []string{"the budget does not hold the next call", "the budget of $0.02", "newel resume x --budget 0.0", "incomplete"} {
		if !strings.Contains(got.err, text) {
			t.Errorf("it does not say %q:\n%s", text, got.err)
		}
	}
	s := opened(t, b.dir)
	first := tallyOf(t, s, "x")
	s.Close()
	sp := b.spending(t, "x")
	if first.Error+first.Unjudged != 0 || first.Done != b.up.Counts().Requests || first.Done == 0 || first.Done == cases {
		t.Errorf("%d requests and rows %+v", b.up.Counts().Requests, first)
	}
	if sp.Spent > newel.Dollar/50 || sp.Reserved != 0 || sp.Open != 0 {
		t.Errorf("of $0.02 %+v", sp)
	}
	for _, again := range [][]string{{"resume", "x"}, {"resume", "x", "--budget=0.021"}} {
		if got := b.call(t, append(again, "-q")...); got.code != exitIncomplete || !strings.Contains(got.err, "does not hold the next call") {
			t.Errorf("%v: exit %d\n%s", again, got.code, got.err)
		}
	}
	wantCode(t, b.call(t, "resume", "x", "--budget=1", "-q"), exitPassed)
	if digest := b.judgedAll(t, "x", cases); digest != want {
		t.Errorf("report digest %s, want %s", digest, want)
	}
	if c := b.up.Counts(); c.Requests != cases {
		t.Errorf("%d requests, want %d", c.Requests, cases)
	}
	t.Logf("$0.02 brought %d rows for $%s", first.Done, sp.Spent)
}
