package storetest

import (
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
	for _, err := range s.Paid(ctx, "a") {
		ok(t, err)
		if seen++; seen == 5 {
			break
		}
	}
}
