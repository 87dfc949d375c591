package storetest

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"newel"
)

// Sizes of what processes do with money: so many runs in turn, each of a
// dollar, spent by so many processes of so many goroutines.
const (
	payingRuns      = 20
	payingProcesses = 4
	payingSpenders  = 16
)

// paying has processes spend the budgets of runs together, and looks on.
func paying(t *testing.T, at At) {
	place := t.TempDir()
	s := opened(t, must(at(place))(t))
	var runs []string
	for run := range payingRuns {
		id := fmt.Sprint("run ", run)
		runs = append(runs, id)
		ok(t, s.CreateRun(ctx, plain(id)))
		ok(t, s.SetBudget(ctx, id, usd(newel.Dollar)))
	}
	var taken [payingProcesses]map[string]int
	done := make(chan struct{})
	var wg sync.WaitGroup
	watched(t, s, runs, done, &wg)
	race(payingProcesses, func(w int) { taken[w] = takenBy(t, startChild(t, "spend", place, fmt.Sprint(w))) })
	close(done)
	wg.Wait()
	all, shared := 0, 0
	for _, id := range runs {
		p := spender{s: s, run: id, r: rand.New(rand.NewPCG(99, 1))}
		must(p.spend(1))(t) // all others have given back by now
		spentAll(t, s, id)
		sharers := 0
		for _, by := range taken {
			all += by[id]
			if by[id] > 0 {
				sharers++
			}
		}
		if sharers > 1 {
			shared++
		}
	}
	t.Logf("%d intents were taken; of %d runs by several processes", all, shared)
	if shared == 0 {
		t.Error("no two processes ever spent from one budget")
	}
}

// takenBy reads how many intents a process says that it took, by run.
func takenBy(t testing.TB, c *child) map[string]int {
	if c == nil {
		return nil
	}
	taken := map[string]int{}
	for line := bufio.NewScanner(c.out); line.Scan(); {
		var run, n int
		if _, err := fmt.Sscanf(line.Text(), "run %d took %d", &run, &n); err != nil {
			t.Errorf("the process says %q", line.Text())
		}
		taken[fmt.Sprint("run ", run)] += n
	}
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
	return taken
}

// spendAll is what each of the processes does.
func spendAll(s newel.Store, seed int) error {
	for run := range payingRuns {
		id := fmt.Sprint("run ", run)
		var taken [payingSpenders]int
		var errs [payingSpenders]error
		race(payingSpenders, func(w int) {
			p := spender{s: s, run: id, r: rand.New(rand.NewPCG(uint64(seed*payingSpenders+w), uint64(run)))}
			taken[w], errs[w] = p.spend(2)
		})
		for w, n := range taken {
			if errs[w] != nil {
				return errs[w]
			}
			fmt.Println(id, "took", n)
		}
	}
	return nil
}

// killedPaying kills processes while they pay, at any write: what they were
// told is kept is there, and the money adds up to the intent.
func killedPaying(t *testing.T, at At) {
	place := t.TempDir()
	s := must(at(place))(t)
	ok(t, s.CreateRun(ctx, plain("a")))
	ok(t, s.Close())
	r := rand.New(rand.NewPCG(5, 6))
	decided := map[newel.Hash]string{}
	deaths, lost := 0, 0
	for round := range 6 {
		var mu sync.Mutex
		race(2, func(i int) {
			c := startChild(t, "pay", place, fmt.Sprint(2*round+i))
			mu.Lock()
			limit := 1 + r.IntN(400)
			mu.Unlock()
			told := c.told(t, limit)
			mu.Lock()
			defer mu.Unlock()
			if c != nil && c.killed {
				deaths++
			}
			for key, reply := range told {
				if have, there := decided[key]; there && have != reply {
					t.Errorf("call %s was decided by %q and then by %q", key, have, reply)
				}
				decided[key] = reply
			}
		})
		s = must(at(place))(t)
		now, all := moneyAddsUp(t, s, "a")
		same(t, "reserved", newel.Money(now.Open)*price, now.Reserved)
		lost = now.Open
		allThere(t, all, decided)
		ok(t, s.Close())
	}
	if deaths == 0 {
		t.Fatal("no process was killed before it was done")
	}
	t.Logf("%d processes killed, %d replies told, %d intents lost with them", deaths, len(decided), lost)
	if lost > 12*payingSpenders*4 {
		t.Errorf("%d intents are open", lost)
	}
}

// allThere checks that every reply that decided a call still does.
func allThere(t testing.TB, all []newel.Entry, decided map[newel.Hash]string) {
	t.Helper()
	have := map[newel.Hash]string{}
	for _, e := range all {
		if e.Seq == 0 {
			have[e.Key] = string(e.Reply)
		}
	}
	for key, reply := range decided {
		if have[key] != reply {
			t.Fatalf("call %s was decided by %q and is now by %q", key, reply, have[key])
		}
	}
}

// payUntilKilled spends without a budget, and says of each reply that was
// acknowledged which one decides.
func payUntilKilled(s newel.Store, seed int) error {
	const rounds = 100_000
	var mu sync.Mutex
	var failed error
	race(payingSpenders, func(w int) {
		r := rand.New(rand.NewPCG(uint64(seed*payingSpenders+w), 7))
		p := spender{s: s, run: "a", r: r, said: func(e newel.Entry) {
			if !e.Fault {
				mu.Lock()
				defer mu.Unlock()
				fmt.Printf("%s %s\n", e.Key, strings.ReplaceAll(string(e.Reply), " ", "_"))
			}
		}}
		for range rounds {
			if _, err := p.once(); err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
				return
			}
		}
	})
	return failed
}

// told reads what decides calls by a process's word, kills it after so many
// lines and reads on to the last that it said.
func (c *child) told(t testing.TB, limit int) map[newel.Hash]string {
	told := map[newel.Hash]string{}
	if c == nil {
		return told
	}
	for n := 0; ; n++ {
		if n == limit {
			if err := c.cmd.Process.Kill(); err != nil {
				t.Log(err)
			}
		}
		line, err := c.out.ReadString('\n')
		if err != nil { // a line cut short was never said
			c.killed = c.cmd.Wait() != nil
			return told
		}
		var key newel.Hash
		name, reply, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if err := key.UnmarshalText([]byte(name)); err != nil {
			t.Errorf("the process says %q", line)
		}
		told[key] = strings.ReplaceAll(reply, "_", " ")
	}
}
