package storetest

import (
	"context"
	"testing"
	"time"

	"newel"
)

func putOnce(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	ok(t, s.SetBudget(ctx, "a", usd(1)))
	own := settled(t, s, reply("a", keyOf(1), "own"))
	at := time.Date(2030, 5, 17, 7, 30, 1, 234000000, time.UTC)
	entries := []newel.Entry{
		{Key: keyOf(1), Run: "a", At: instant(), Reply: []byte("another in its place")},
		{Key: keyOf(1), Run: "a", Seq: 7, At: instant(), Good: true, Reply: []byte("surplus"), Call: []byte("{}"), Cost: usd(40)},
		{Key: keyOf(2), Run: "a", Seq: 3, At: instant(), Fault: true, Call: []byte("{}"), Held: 9},
		{Key: keyOf(2), Run: "elsewhere", At: instant(), Good: true, Reply: []byte("reply"), Cost: usd(2)},
	}
	for range 3 {
		ok(t, s.PutEntries(ctx, append(entries, entries...)))
	}
	want := append([]newel.Entry{own}, entries[1:3]...)
	want[1].At, want[2].At = at, at
	refs := []newel.CallRef{{Key: keyOf(1)}, {Key: keyOf(1), Seq: 7}, {Key: keyOf(2), Seq: 3}}
	same(t, "entries", want, must(s.Entries(ctx, "a", refs))(t))
	now, all := moneyAddsUp(t, s, "a")
	same(t, "entries", 3, len(all))
	same(t, "account", newel.Spending{Budget: usd(1), Spent: newel.Dollar/100 + 40, Held: 9, Calls: 2, Surplus: 1, Faults: 1, Unknown: 1}, now)
	moneyAddsUp(t, s, "elsewhere")
	same(t, "next number", 8, settled(t, s, newel.Entry{Key: keyOf(1), Run: "a", Fault: true}).Seq)
	ok(t, s.PutEntries(ctx, nil))
	_, err := s.Run(ctx, "elsewhere")
	wantErr(t, newel.ErrNotFound, err)
}

func putAllOrNone(t *testing.T, s newel.Store) {
	planned(t, s, "sealed", 0, 0)
	kept := settled(t, s, reply("sealed", keyOf(1), "before the seal"))
	must(s.SealRun(ctx, "sealed", newel.Hash{1}, nil))(t)
	fine := reply("b", keyOf(1), "fine")
	ok(t, s.PutEntries(ctx, []newel.Entry{kept}))
	wantErr(t, newel.ErrSealed, s.PutEntries(ctx, []newel.Entry{fine, reply("sealed", keyOf(2), "late")}))
	if err := s.PutEntries(ctx, []newel.Entry{fine, {Key: keyOf(2), Run: "b", Fault: true}}); err == nil {
		t.Error("a fault decides")
	}
	if err := s.PutEntries(ctx, []newel.Entry{fine, {Key: keyOf(2), Run: "b", Seq: -1}}); err == nil {
		t.Error("a number below zero")
	}
	_, err := s.Spending(ctx, "b")
	wantErr(t, newel.ErrNotFound, err)
	same(t, "entries", []newel.Entry{kept}, paidBy(t, s, "sealed"))
}

func unsoundEntries(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	for name, e := range map[string]newel.Entry{
		"nobody paid":             {},
		"a good fault":            {Run: "a", Fault: true, Good: true},
		"a fault with a reply":    {Run: "a", Fault: true, Reply: []byte("x")},
		"a cost below zero":       {Run: "a", Cost: usd(-1)},
		"less than nothing held":  {Run: "a", Held: -1},
		"less than nothing at it": {Run: "a", Cost: usd(1), Held: -1},
	} {
		e.Key = keyOf(1)
		if _, err := s.Settle(ctx, e, nil); err == nil {
			t.Errorf("%s: settled", name)
		}
		e.Seq = 1
		if err := s.PutEntries(ctx, []newel.Entry{e}); err == nil {
			t.Errorf("%s: put", name)
		}
	}
	if err := s.SetBudget(ctx, "a", usd(-1)); err == nil {
		t.Error("a budget below zero")
	}
	same(t, "account", newel.Spending{}, must(s.Spending(ctx, "a"))(t))
}

func journalNotFound(t *testing.T, s newel.Store) {
	_, errReserve := s.Reserve(ctx, "x", []newel.Intent{intent(1, 1)})
	_, errSettle := s.Settle(ctx, reply("x", keyOf(1), "reply"), nil)
	_, errReplies := s.Replies(ctx, "x", []newel.Hash{keyOf(1)}, newel.Window{})
	_, errEntries := s.Entries(ctx, "x", nil)
	_, errSpending := s.Spending(ctx, "x")
	var errPaid error
	for _, errPaid = range s.Paid(ctx, "x") {
	}
	for _, err := range []error{
		errReserve, errSettle, errReplies, errEntries, errSpending, errPaid, s.SetBudget(ctx, "x", nil),
		s.Release(ctx, "x", idsOf(intent(1, 1))), s.Supplement(ctx, reply("x", keyOf(1), "reply")),
	} {
		wantErr(t, newel.ErrNotFound, err)
	}
}

func sealedJournal(t *testing.T, s newel.Store) {
	planned(t, s, "a", 0, 0)
	ok(t, s.SetBudget(ctx, "a", usd(newel.Dollar)))
	must(s.Reserve(ctx, "a", []newel.Intent{intent(1, 5)}))(t) // open, which hinders no seal
	unknown := reply("a", keyOf(1), "reply")
	unknown.Cost, unknown.Held = nil, 50
	first := settled(t, s, unknown)
	must(s.SealRun(ctx, "a", newel.Hash{1}, nil))(t)
	run, before := must(s.Run(ctx, "a"))(t), must(s.Spending(ctx, "a"))(t)
	same(t, "open", 1, before.Open)

	_, errReserve := s.Reserve(ctx, "a", []newel.Intent{intent(2, 0)})
	_, errSettle := s.Settle(ctx, reply("a", keyOf(1), "late"), idsOf(intent(1, 5)))
	for _, err := range []error{
		errReserve, errSettle, s.SetBudget(ctx, "a", nil), s.Release(ctx, "a", idsOf(intent(1, 5))),
		s.PutEntries(ctx, []newel.Entry{reply("a", keyOf(2), "late")}),
	} {
		wantErr(t, newel.ErrSealed, err)
	}
	late := newel.Entry{Key: keyOf(1), Run: "a", Cost: usd(20), Call: []byte(`{"late":true}`)}
	ok(t, s.Supplement(ctx, late))
	wantErr(t, newel.ErrConflict, s.Supplement(ctx, late))
	same(t, "account", before, must(s.Spending(ctx, "a"))(t))
	same(t, "paid", []newel.Entry{first}, paidBy(t, s, "a"))
	same(t, "run", run, must(s.Run(ctx, "a"))(t))
	supplements(t, s, first, late)
}

// supplements checks what a store tells of supplements after the seal.
func supplements(t *testing.T, s newel.Store, first, late newel.Entry) {
	all := must(s.(interface {
		Supplements(ctx context.Context, run string) ([]newel.Entry, error)
	}).Supplements(ctx, "a"))(t)
	if len(all) != 1 || all[0].At.Before(first.At) {
		t.Fatalf("supplements %+v", all)
	}
	want := first
	want.At, want.Cost, want.Held, want.Call = all[0].At, late.Cost, late.Held, late.Call
	same(t, "supplement", want, all[0])
}

func journalOutlives(t *testing.T, s newel.Store) {
	for _, c := range []struct {
		name string
		do   func(run string)
		kept bool
	}{
		{"nothing", func(string) {}, false},
		{"budget", func(run string) { ok(t, s.SetBudget(ctx, run, usd(1))) }, false},
		{"free", func(run string) {
			settled(t, s, newel.Entry{Key: keyOf(1), Run: run, Good: true, Cost: usd(0)})
			must(s.Reserve(ctx, run, []newel.Intent{intent(1, 0)}))(t)
		}, false},
		{"paid", func(run string) { settled(t, s, reply(run, keyOf(2), "paid")) }, true},
		{"unknown", func(run string) { settled(t, s, newel.Entry{Key: keyOf(3), Run: run, Fault: true}) }, true},
		{"held", func(run string) {
			settled(t, s, newel.Entry{Key: keyOf(4), Run: run, Fault: true, Cost: usd(0), Held: 1})
		}, true},
		{"open", func(run string) { must(s.Reserve(ctx, run, []newel.Intent{intent(2, 1)}))(t) }, true},
	} {
		ok(t, s.CreateRun(ctx, plain(c.name)))
		c.do(c.name)
		before, paid := must(s.Spending(ctx, c.name))(t), paidBy(t, s, c.name)
		ok(t, s.EraseRun(ctx, c.name))
		if !c.kept {
			_, err := s.Spending(ctx, c.name)
			wantErr(t, newel.ErrNotFound, err)
			ok(t, s.CreateRun(ctx, plain(c.name)))
			same(t, "account of a new run "+c.name, newel.Spending{}, must(s.Spending(ctx, c.name))(t))
			continue
		}
		same(t, "account of "+c.name, before, must(s.Spending(ctx, c.name))(t))
		same(t, "paid by "+c.name, paid, paidBy(t, s, c.name))
		_, err := s.Settle(ctx, reply(c.name, keyOf(5), "late"), nil)
		wantErr(t, newel.ErrNotFound, err)
	}
	ok(t, s.Supplement(ctx, newel.Entry{Key: keyOf(3), Run: "unknown", Seq: 1, Cost: usd(3)}))
	moneyAddsUp(t, s, "unknown")
	ok(t, s.CreateRun(ctx, plain("next")))
	window := newel.Window{To: time.Now().Add(time.Hour)}
	got := must(s.Replies(ctx, "next", []newel.Hash{keyOf(1), keyOf(2), keyOf(3)}, window))(t)
	if len(got) != 1 || got[keyOf(2)].Run != "paid" {
		t.Fatalf("to be used again: %v", got)
	}
	ok(t, s.CreateRun(ctx, plain("paid")))
	same(t, "reply of the run made again", "paid", string(must(s.Replies(ctx, "paid", []newel.Hash{keyOf(2)}, newel.Window{}))(t)[keyOf(2)].Reply))
}

func journalContextDone(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, errReserve := s.Reserve(done, "a", []newel.Intent{intent(1, 1)})
	_, errSettle := s.Settle(done, reply("a", keyOf(1), "reply"), nil)
	_, errReplies := s.Replies(done, "a", []newel.Hash{keyOf(1)}, newel.Window{})
	for _, err := range []error{
		errReserve, errSettle, errReplies, s.SetBudget(done, "a", usd(1)), s.Release(done, "a", nil),
		s.PutEntries(done, []newel.Entry{reply("a", keyOf(1), "reply")}),
	} {
		wantErr(t, context.Canceled, err)
	}
	same(t, "account", newel.Spending{}, must(s.Spending(ctx, "a"))(t))
	same(t, "entries", 0, len(paidBy(t, s, "a")))
}
