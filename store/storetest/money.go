package storetest

import (
	"errors"
	"math"
	"testing"

	"newel"
)

func budgetHolds(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	ten := []newel.Intent{}
	for i := range 10 {
		ten = append(ten, intent(i, 10))
	}
	same(t, "taken without a budget", 10, must(s.Reserve(ctx, "a", ten))(t))
	ok(t, s.SetBudget(ctx, "a", usd(165)))
	ok(t, s.Release(ctx, "a", idsOf(ten[4:]...)))                                            // 40 reserved
	settled(t, s, newel.Entry{Key: keyOf(0), Run: "a", Cost: usd(25), Held: 30}, ten[:3]...) // 10 reserved
	same(t, "account", newel.Spending{Budget: usd(165), Spent: 25, Held: 30, Reserved: 10, Open: 1, Calls: 1},
		must(s.Spending(ctx, "a"))(t))
	next := []newel.Intent{intent(20, 60), intent(21, 0), intent(22, 41), intent(23, 1)}
	same(t, "up to the one that does not fit", 2, must(s.Reserve(ctx, "a", next))(t))
	same(t, "one that fits to the last", 1, must(s.Reserve(ctx, "a", []newel.Intent{intent(24, 40), intent(25, 1)}))(t))
	same(t, "a free one", 1, must(s.Reserve(ctx, "a", []newel.Intent{intent(26, 0)}))(t))
	ok(t, s.SetBudget(ctx, "a", usd(164)))
	same(t, "with less budget than is reserved", 0, must(s.Reserve(ctx, "a", []newel.Intent{intent(27, 0)}))(t))
	same(t, "nothing", 0, must(s.Reserve(ctx, "a", nil))(t))
	ok(t, s.SetBudget(ctx, "a", nil))
	same(t, "without a budget", 1, must(s.Reserve(ctx, "a", []newel.Intent{intent(28, 1000)}))(t))
	same(t, "account", newel.Spending{Spent: 25, Held: 30, Reserved: 1110, Open: 6, Calls: 1}, must(s.Spending(ctx, "a"))(t))
}

func releasedAndRepeated(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	ok(t, s.CreateRun(ctx, plain("b")))
	ok(t, s.SetBudget(ctx, "a", usd(30)))
	three := []newel.Intent{intent(1, 10), intent(2, 10), intent(3, 10)}
	reserved := func(run string, want newel.Money, open int) {
		t.Helper()
		got := must(s.Spending(ctx, run))(t)
		if got.Reserved != want || got.Open != open {
			t.Fatalf("%s and %d open, want %s and %d", got.Reserved, got.Open, want, open)
		}
	}
	same(t, "taken", 3, must(s.Reserve(ctx, "a", three))(t))
	same(t, "taken as they are there", 3, must(s.Reserve(ctx, "a", three))(t))
	same(t, "there, and one too many", 3, must(s.Reserve(ctx, "a", append(three, intent(4, 1))))(t))
	reserved("a", 30, 3)
	ok(t, s.Release(ctx, "b", idsOf(three...))) // another run's
	reserved("a", 30, 3)
	ok(t, s.Release(ctx, "a", idsOf(three[0], three[0], intent(9, 0))))
	ok(t, s.Release(ctx, "a", idsOf(three[0])))
	ok(t, s.Release(ctx, "a", nil))
	reserved("a", 20, 2)
	same(t, "taken again", 1, must(s.Reserve(ctx, "a", three[:1]))(t))
	reserved("a", 30, 3)
	settled(t, s, reply("a", keyOf(1), "x"), three[0], three[1], three[1], intent(9, 0))
	settled(t, s, reply("b", keyOf(1), "x"), three[2]) // not the one that reserved it
	reserved("a", 10, 1)
	reserved("b", 0, 0)
	if _, err := s.Reserve(ctx, "a", []newel.Intent{intent(11, 1), intent(12, -1)}); err == nil {
		t.Fatal("reserved less than nothing")
	}
	reserved("a", 10, 1)
}

func overflows(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	most := newel.Money(math.MaxInt64)
	big := reply("a", keyOf(1), "dear")
	big.Cost, big.Held = usd(most-100), most-100
	settled(t, s, big)
	before := must(s.Spending(ctx, "a"))(t)
	again := big
	again.Key = keyOf(2)
	if _, err := s.Settle(ctx, again, nil); err == nil {
		t.Error("the cost overflowed")
	}
	again.Cost = nil
	if _, err := s.Settle(ctx, again, nil); err == nil {
		t.Error("what is held overflowed")
	}
	if n, err := s.Reserve(ctx, "a", []newel.Intent{intent(1, 1)}); err == nil {
		t.Errorf("took %d beside sums that overflow", n)
	}
	if err := s.PutEntries(ctx, []newel.Entry{{Key: keyOf(3), Run: "a", Seq: 0, Cost: usd(1), At: instant()}, {Key: keyOf(4), Run: "a", Cost: usd(100), At: instant()}}); err == nil {
		t.Error("put entries overflowed")
	}
	same(t, "account", before, must(s.Spending(ctx, "a"))(t))
	same(t, "entries", 1, len(paidBy(t, s, "a")))

	ok(t, s.CreateRun(ctx, plain("b")))
	settled(t, s, newel.Entry{Key: keyOf(1), Run: "b", Cost: usd(most - 100)})
	settled(t, s, newel.Entry{Key: keyOf(2), Run: "b"})
	if err := s.Supplement(ctx, newel.Entry{Key: keyOf(2), Run: "b", Cost: usd(101)}); err == nil || errors.Is(err, newel.ErrConflict) {
		t.Errorf("a supplement overflowed: %v", err)
	}
	if n, err := s.Reserve(ctx, "b", []newel.Intent{intent(1, 100), intent(2, 1)}); err == nil {
		t.Errorf("took %d that overflow", n)
	}
	moneyAddsUp(t, s, "b")
}

func supplementOnce(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	unknown := reply("a", keyOf(1), "reply")
	unknown.Cost, unknown.Held = nil, 50
	first := settled(t, s, unknown)
	surplus := unknown
	surplus.Held = 60
	settled(t, s, surplus)
	known := settled(t, s, reply("a", keyOf(2), "reply"))

	late := newel.Entry{Key: keyOf(1), Run: "a", Cost: usd(20), Held: 5, Call: []byte(`{"late":true}`)}
	wantErr(t, newel.ErrConflict, s.Supplement(ctx, newel.Entry{Key: known.Key, Run: "a", Cost: usd(1)}))
	wantErr(t, newel.ErrNotFound, s.Supplement(ctx, newel.Entry{Key: keyOf(3), Run: "a", Cost: usd(1)}))
	wantErr(t, newel.ErrNotFound, s.Supplement(ctx, newel.Entry{Key: keyOf(1), Run: "a", Seq: 2, Cost: usd(1)}))
	for _, wrong := range []newel.Entry{{Held: 5}, {Cost: usd(-1)}, {Cost: usd(1), Held: 51}, {Cost: usd(1), Held: -1}} {
		wrong.Key, wrong.Run = keyOf(1), "a"
		if err := s.Supplement(ctx, wrong); err == nil || errors.Is(err, newel.ErrConflict) {
			t.Errorf("supplement %+v: error %v", wrong, err)
		}
	}
	ok(t, s.Supplement(ctx, late))
	wantErr(t, newel.ErrConflict, s.Supplement(ctx, late))
	want := first
	want.Cost, want.Held, want.Call = late.Cost, late.Held, late.Call
	same(t, "entry", []newel.Entry{want}, must(s.Entries(ctx, "a", []newel.CallRef{{Key: keyOf(1)}}))(t))
	same(t, "reply", want, must(s.Replies(ctx, "a", []newel.Hash{keyOf(1)}, newel.Window{}))(t)[keyOf(1)])
	now, _ := moneyAddsUp(t, s, "a")
	same(t, "account", newel.Spending{Spent: newel.Dollar/100 + 20, Held: 65, Calls: 3, Surplus: 1, Unknown: 1}, now)
}
