package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"newel"
)

var journalChecks = []check{
	{"an entry comes back as it was settled, at the store's instant", entryComesBack},
	{"the first reply decides, later ones are surplus, faults decide nothing", firstDecides},
	{"a run's own reply wins over newer ones of others", ownWins},
	{"the newest good reply of other runs within the window is used, ends included", newestWithin},
	{"a thousand keys are looked up at once", manyKeys},
	{"entries are returned in the order of refs, of whatever run paid", entriesInOrder},
	{"what was paid is yielded whole in order of key and number, however much it is", paidInOrder},
	{"intents are taken in order as long as the budget holds them", budgetHolds},
	{"intents are taken back and taken again without a trace", releasedAndRepeated},
	{"money that overflows is an error and changes nothing", overflows},
	{"an unknown cost becomes known once", supplementOnce},
	{"entries of another store are put as they are, once", putOnce},
	{"put entries are all there or none", putAllOrNone},
	{"what cannot be an entry is refused", unsoundEntries},
	{"the journal of a run that is not there is not found", journalNotFound},
	{"a sealed run's journal takes nothing more but supplements", sealedJournal},
	{"the journal outlives a run that paid, and goes with one that did not", journalOutlives},
	{"a call to the journal whose context is done does nothing", journalContextDone},
}

func keyOf(n int) newel.Hash { return newel.HashOf(fmt.Appendf(nil, "call %d", n)) }

func usd(m newel.Money) *newel.Money { return &m }

// intent returns the n-th intent of a test.
func intent(n int, worst newel.Money) newel.Intent {
	in := newel.Intent{Key: keyOf(n), Worst: worst}
	binary.BigEndian.PutUint64(in.ID[:], uint64(n+1))
	return in
}

func idsOf(intents ...newel.Intent) (ids [][16]byte) {
	for _, in := range intents {
		ids = append(ids, in.ID)
	}
	return ids
}

// reply is a good entry of a run that costs a cent.
func reply(run string, key newel.Hash, text string) newel.Entry {
	return newel.Entry{
		Key: key, Run: run, Good: true, Cost: usd(newel.Dollar / 100),
		Reply: []byte(text), Call: fmt.Appendf(nil, `{"call_key":%q,"kind":"judge","gateway":"main"}`, key),
	}
}

func settled(t testing.TB, s newel.Store, e newel.Entry, intents ...newel.Intent) newel.Entry {
	t.Helper()
	return must(s.Settle(ctx, e, idsOf(intents...)))(t)
}

func paidBy(t testing.TB, s newel.Store, run string) (all []newel.Entry) {
	t.Helper()
	for e, err := range s.Paid(ctx, run) {
		ok(t, err)
		all = append(all, e)
	}
	return all
}

// moneyAddsUp checks that a run's account is that of its entries, and returns
// both.
func moneyAddsUp(t testing.TB, s newel.Store, run string) (newel.Spending, []newel.Entry) {
	t.Helper()
	got, all := must(s.Spending(ctx, run))(t), paidBy(t, s, run)
	want := newel.Spending{Budget: got.Budget, Reserved: got.Reserved, Open: got.Open}
	decided := map[newel.Hash]bool{}
	for _, e := range all {
		switch {
		case e.Fault:
			want.Faults++
		case e.Seq == 0:
			decided[e.Key] = true
			want.Calls++
		default:
			want.Calls++
			want.Surplus++
		}
		want.Held += e.Held
		if e.Cost == nil {
			want.Unknown++
		} else {
			want.Spent += *e.Cost
		}
	}
	same(t, "account of "+run, want, got)
	for _, e := range all {
		if !e.Fault && !decided[e.Key] {
			t.Fatalf("nothing decides %s, which has reply %d", e.Key, e.Seq)
		}
	}
	return got, all
}

func entryComesBack(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	before := time.Now().Truncate(time.Millisecond)
	for i, want := range []newel.Entry{
		{Good: true, Cost: usd(0), Reply: []byte("x"), Call: []byte("{}")},
		{Reply: []byte(strings.Repeat(filler, 300)), Call: []byte("{\x00\xff}"), Held: 7},
		{Good: true, Cost: usd(math.MaxInt64 - 7), Reply: []byte("\x00")},
		{Fault: true, Call: []byte(filler)},
		{Cost: nil},
	} {
		want.Key, want.Run, want.At = keyOf(i), "a", time.Unix(7, 0)
		got := settled(t, s, want)
		if got.At.Before(before) || got.At.After(time.Now()) || got.At.Location() != time.UTC || got.At.Nanosecond()%1e6 != 0 {
			t.Fatalf("entry %d: at %v", i, got.At)
		}
		want.At = got.At
		if want.Fault {
			want.Seq = 1
		}
		same(t, fmt.Sprint("settled ", i), want, got)
		ref := newel.CallRef{Key: want.Key, Seq: want.Seq, Reply: newel.HashOf(want.Reply)}
		same(t, fmt.Sprint("entry ", i), []newel.Entry{want}, must(s.Entries(ctx, "a", []newel.CallRef{ref}))(t))
		replies := must(s.Replies(ctx, "a", []newel.Hash{want.Key}, newel.Window{}))(t)
		if e, found := replies[want.Key]; found == want.Fault || found && e.Seq != 0 {
			t.Fatalf("entry %d: replies %v", i, replies)
		}
	}
	moneyAddsUp(t, s, "a")
}

func firstDecides(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	key := keyOf(1)
	fault := newel.Entry{Key: key, Run: "a", Fault: true, Call: []byte("{}"), Held: 3}
	same(t, "fault", 1, settled(t, s, fault).Seq)
	unread := reply("a", key, "first")
	unread.Good = false
	first := settled(t, s, unread)
	same(t, "first", 0, first.Seq)
	same(t, "instead of the second", first, settled(t, s, reply("a", key, "second")))
	same(t, "fault again", 3, settled(t, s, fault).Seq)
	same(t, "instead of the third", first, settled(t, s, reply("a", key, "third")))

	same(t, "replies", map[newel.Hash]newel.Entry{key: first}, must(s.Replies(ctx, "a", []newel.Hash{key, key, keyOf(2)}, newel.Window{}))(t))
	now, all := moneyAddsUp(t, s, "a")
	same(t, "account", newel.Spending{Spent: 3 * newel.Dollar / 100, Held: 6, Calls: 3, Surplus: 2, Faults: 2, Unknown: 2}, now)
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprint(e.Seq, " ", string(e.Reply)))
	}
	same(t, "paid", []string{"0 first", "1 ", "2 second", "3 ", "4 third"}, got)
}

// put stores a good entry of a run at an instant.
func put(t testing.TB, s newel.Store, run string, key newel.Hash, at time.Time, text string) newel.Entry {
	t.Helper()
	e := reply(run, key, text)
	e.At = at.UTC()
	ok(t, s.PutEntries(ctx, []newel.Entry{e}))
	return e
}

func ownWins(t *testing.T, s newel.Store) {
	for _, id := range []string{"a", "b"} {
		ok(t, s.CreateRun(ctx, plain(id)))
	}
	own := reply("a", keyOf(1), "own, which could not be read")
	own.Good = false
	own = settled(t, s, own)
	put(t, s, "b", keyOf(1), own.At.Add(time.Hour), "newer, of another run")
	always := newel.Window{From: time.Unix(0, 0), To: own.At.Add(24 * time.Hour)}
	same(t, "replies", map[newel.Hash]newel.Entry{keyOf(1): own}, must(s.Replies(ctx, "a", []newel.Hash{keyOf(1)}, always))(t))

	settled(t, s, newel.Entry{Key: keyOf(2), Run: "a", Fault: true})
	other := put(t, s, "b", keyOf(2), own.At, "of another run, and here there was a fault")
	same(t, "replies", map[newel.Hash]newel.Entry{keyOf(2): other}, must(s.Replies(ctx, "a", []newel.Hash{keyOf(2)}, always))(t))
}

func newestWithin(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("now")))
	base := time.Date(2030, 5, 17, 7, 30, 0, 0, time.UTC)
	at := func(ms int) time.Time { return base.Add(time.Duration(ms) * time.Millisecond) }
	key := keyOf(1)
	for ms, run := range map[int]string{10: "ten", 20: "twenty", 30: "thirty"} {
		put(t, s, run, key, at(ms), run)
	}
	put(t, s, "twenty too", key, at(20), "twenty, stored later")
	for i, e := range []newel.Entry{
		{Seq: 1, Good: true, Reply: []byte("surplus")}, {Seq: 2, Fault: true}, {Reply: []byte("could not be read")},
	} {
		e.Key, e.Run, e.At = key, fmt.Sprint("never used ", i), at(25)
		ok(t, s.PutEntries(ctx, []newel.Entry{e}))
	}
	part := time.Millisecond / 2
	for _, c := range []struct {
		name     string
		from, to time.Time
		want     string
	}{
		{"all", at(0), at(99), "thirty"},
		{"a window that ends on one", at(0), at(20), "twenty, stored later"},
		{"a window that ends within the millisecond behind one", at(0), at(10).Add(part), "ten"},
		{"a window that ends just before one", at(0), at(10).Add(-1), ""},
		{"a window that begins on one", at(10), at(10), "ten"},
		{"a window that begins within the millisecond behind one", at(10).Add(1), at(19), ""},
		{"a window that begins after the last", at(31), at(99), ""},
		{"a window that ends before it begins", at(99), at(0), ""},
		{"a window of all time until one", time.Time{}, at(20).In(time.FixedZone("", 3600)), "twenty, stored later"},
		{"no window", time.Time{}, time.Time{}, ""},
	} {
		got := must(s.Replies(ctx, "now", []newel.Hash{key}, newel.Window{From: c.from, To: c.to}))(t)
		if e, found := got[key]; string(e.Reply) != c.want || found != (c.want != "") || found && e.Run == "now" {
			t.Errorf("%s: %q of %q, want %q", c.name, e.Reply, e.Run, c.want)
		}
	}
	same(t, "no key", 0, len(must(s.Replies(ctx, "now", nil, newel.Window{To: at(99)}))(t)))
	same(t, "spent by looking", newel.Spending{}, must(s.Spending(ctx, "now"))(t))
}

func manyKeys(t *testing.T, s newel.Store) {
	const n = 1000
	ok(t, s.CreateRun(ctx, plain("a")))
	at := instant().UTC().Truncate(time.Millisecond)
	want := map[newel.Hash]newel.Entry{}
	var keys []newel.Hash
	var all []newel.Entry
	for i := range n {
		keys = append(keys, keyOf(i))
		e := reply([]string{"a", "b", "c"}[i%3], keyOf(i), fmt.Sprint("reply ", i))
		e.At = at.Add(time.Duration(i) * time.Millisecond)
		all = append(all, e)
		if e.Run == "a" || i <= n/2 {
			want[e.Key] = e
		}
	}
	ok(t, s.PutEntries(ctx, all))
	window := newel.Window{From: at, To: at.Add(n / 2 * time.Millisecond)}
	same(t, "replies", want, must(s.Replies(ctx, "a", keys, window))(t))
}

func entriesInOrder(t *testing.T, s newel.Store) {
	var refs []newel.CallRef
	var want []newel.Entry
	ok(t, s.CreateRun(ctx, plain("a")))
	for i := range 40 {
		e := reply([]string{"a", "b"}[i%2], keyOf(i/4), fmt.Sprint("reply ", i))
		e.Seq, e.At = i/2%2, instant().UTC().Truncate(time.Millisecond)
		ref := newel.CallRef{Key: e.Key, Reply: newel.HashOf(e.Reply), Seq: e.Seq}
		if e.Run == "b" {
			ref.Run = "b"
		}
		want, refs = append([]newel.Entry{e}, want...), append([]newel.CallRef{ref}, refs...)
	}
	ok(t, s.PutEntries(ctx, want))
	same(t, "entries", want, must(s.Entries(ctx, "a", refs))(t))
	same(t, "twice the same", []newel.Entry{want[3], want[3]}, must(s.Entries(ctx, "a", []newel.CallRef{refs[3], refs[3]}))(t))
	same(t, "none", 0, len(must(s.Entries(ctx, "a", nil))(t)))
	for name, ref := range map[string]newel.CallRef{
		"another key":    {Key: keyOf(99)},
		"another number": {Key: keyOf(1), Seq: 7},
		"another run":    {Key: keyOf(1), Run: "c"},
	} {
		if _, err := s.Entries(ctx, "a", []newel.CallRef{refs[0], ref, refs[1]}); !errors.Is(err, newel.ErrNotFound) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	changed := refs[0]
	changed.Reply[0]++
	if _, err := s.Entries(ctx, "a", []newel.CallRef{changed}); err == nil || errors.Is(err, newel.ErrNotFound) {
		t.Errorf("a reply of another hash: error %v", err)
	}
}

func paidInOrder(t *testing.T, s newel.Store) {
	ok(t, s.CreateRun(ctx, plain("a")))
	same(t, "nothing", 0, len(paidBy(t, s, "a")))
	for i := range 300 {
		for seq := range 1 + i%3 {
			settled(t, s, reply("a", keyOf(i), fmt.Sprint(i, ".", seq, " ", strings.Repeat(filler, i))))
		}
	}
	put(t, s, "b", keyOf(1), instant(), "another run's")
	_, all := moneyAddsUp(t, s, "a")
	same(t, "entries", 600, len(all))
	for i, e := range all[1:] {
		if last := all[i]; last.Key == e.Key && last.Seq >= e.Seq || string(last.Key[:]) > string(e.Key[:]) {
			t.Fatalf("%s, %d after %s, %d", e.Key, e.Seq, last.Key, last.Seq)
		}
	}
	seen := 0
	for range s.Paid(ctx, "a") {
		if seen++; seen == 5 {
			break
		}
	}
}

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
