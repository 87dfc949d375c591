package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func sampleCase(id string) *newel.Case {
	return &newel.Case{
		ID: id, Input: newel.Raw(`"where?"`), Output: newel.Raw(`{"a":12345678901234567890,"b":[1,2]}`),
		Outputs:   []newel.Named{{Name: "new", Value: newel.Raw(`"x"`)}},
		Reference: newel.Raw(`["gold"]`), Context: []newel.Passage{{Text: "plain"}, {ID: "p2", Text: "with id"}},
		Media: []newel.Media{{Path: "a.png", SHA256: "00"}}, Turns: []string{"one", "two"},
		Dims: []newel.Dim{{Name: "lang", Value: "de"}}, Tags: []string{"t"},
		Vars:   []newel.Named{{Name: "must", Value: newel.Raw(`"17"`)}, {Name: "ünï", Value: newel.Raw(`null`)}},
		Labels: []newel.Named{{Name: "r", Value: newel.Raw(`true`)}}, Raters: []newel.Named{{Name: "r", Value: newel.Raw(`["pass","fail"]`)}},
		Cluster: "doc-1", Checks: newel.Raw(`[{"contains":"17"}]`), Criteria: newel.Raw(`"Names it."`), Run: newel.Raw(`{"latency_ms":3}`),
	}
}

func TestChunkComesBackAsItWas(t *testing.T) {
	t.Parallel()
	b := NewBuilder(9)
	applies := newel.NewBitmap(9)
	applies.Set(0)
	applies.Set(8)
	full, bare := sampleCase("a"), &newel.Case{ID: "b", Output: newel.Raw(`"only this"`)}
	entries := []Entry{
		{CaseIndex: 0, Trial: 1, Applies: applies, Matrix: []newel.Dim{{Name: "tone", Value: "plain"}}},
		{CaseIndex: 0, Trial: 2, Applies: applies},
		{CaseIndex: 1, Trial: 1, Applies: newel.NewBitmap(9), Quarantined: true},
	}
	for _, e := range entries {
		if err := b.Add([]*newel.Case{full, bare}[e.CaseIndex], e); err != nil {
			t.Fatal(err)
		}
	}
	index, bodies := b.Bytes()
	c, err := ReadChunk(index)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entries, c.Entries); diff != "" {
		t.Errorf("entries: want -, got +\n%s", diff)
	}
	cases, hashes, err := c.Cases(bodies)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.Hashes(), hashes); diff != "" {
		t.Errorf("hashes: want -, got +\n%s", diff)
	}
	if diff := cmp.Diff([]*newel.Case{full, bare}, cases); diff != "" {
		t.Errorf("cases: want -, got +\n%s", diff)
	}
}

func sampleRecord() Record {
	return Record{Scored: newel.HashOf([]byte("x")), Results: []newel.Result{
		{Rubric: 0, Verdict: newel.Fail, Layer: newel.Floor, Value: -250_000_000, HasValue: true, Scores: []newel.Score{
			{Scorer: "f1", Layer: newel.Floor, Verdict: newel.Fail, Value: -250_000_000, HasValue: true, Explanation: "too low", Evidence: []newel.Evidence{{Path: "output", Want: "a", Got: "b"}}},
			{Scorer: "of-the-case", Layer: newel.Floor, Verdict: newel.Pass},
		}},
		{Rubric: 1, Verdict: newel.Failed, Err: &newel.ScoreError{Kind: newel.KindCase, Message: "no reference"}, Scores: []newel.Score{
			{Scorer: "equals", Layer: newel.Floor, Verdict: newel.Failed, Err: &newel.ScoreError{Kind: newel.KindCase, Message: "no reference"}}}},
		{Rubric: 2, Verdict: newel.Unjudged, Reason: newel.Undrawn, Inclusion: 0.1},
		{Rubric: 3, Verdict: newel.Pass, Layer: newel.Judge, Choice: "refusal", Inclusion: 1, Audit: &newel.Audit{Layer: newel.Classifier, Verdict: newel.Fail, Value: 7, HasValue: true}, Scores: []newel.Score{
			{Scorer: "judge", Layer: newel.Judge, Verdict: newel.Pass, Choice: "refusal", Explanation: "it declines", Calls: []newel.CallRef{
				{Key: newel.HashOf([]byte("own")), Reply: newel.HashOf([]byte("yes"))},
				{Key: newel.HashOf([]byte("reused")), Reply: newel.HashOf([]byte("yes")), Run: "earlier"},
				{Key: newel.HashOf([]byte("fault")), Seq: 3},
				{Reply: newel.HashOf([]byte("in the data")), Recorded: true},
			}},
		}},
		{Rubric: 4, Verdict: newel.Pass, Layer: newel.Judge, Choice: "tie", Inclusion: 1, Scores: []newel.Score{
			{Scorer: "judge", Layer: newel.Judge, Verdict: newel.Pass, Choice: "tie", Orders: newel.Orders{Asked: 300, Same: 2, First: 129, Second: 1}},
			{Scorer: "other", Layer: newel.Judge, Verdict: newel.Pass},
		}},
	}}
}

// Records that were written before there were judges are still read.
func TestRecordOfTheFirstVersionIsRead(t *testing.T) {
	t.Parallel()
	want := sampleRecord()
	want.Results = want.Results[:3]
	data := AppendRecord(nil, want, sampleNames)
	data[0] = 1
	var got Record
	if err := ReadRecord(data, sampleNames, true, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	data[0] = recordVersion + 1
	if err := ReadRecord(data, sampleNames, true, &got); err == nil {
		t.Error("a record of a version to come is read")
	}
}

var sampleNames = [][]string{{"f1"}, {"equals"}}

func TestRecordComesBackAsItWas(t *testing.T) {
	t.Parallel()
	want := sampleRecord()
	data := AppendRecord(nil, want, sampleNames)
	var got Record
	for range 2 { // the second time into used memory
		if err := ReadRecord(data, sampleNames, true, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b []newel.Score) bool {
			return len(a) == 0 && len(b) == 0 || cmp.Equal(a, b, cmp.Comparer(func(x, y float64) bool { return x == y }))
		})); diff != "" {
			t.Errorf("want -, got +\n%s", diff)
		}
	}
}

func TestTornDataIsAnError(t *testing.T) {
	t.Parallel()
	b := NewBuilder(3)
	if err := b.Add(sampleCase("a"), Entry{Trial: 1, Applies: newel.NewBitmap(3)}); err != nil {
		t.Fatal(err)
	}
	chunk, bodies := b.Bytes()
	record := AppendRecord(nil, sampleRecord(), sampleNames)
	for n := range len(record) {
		if err := ReadRecord(record[:n], sampleNames, true, &Record{}); err == nil {
			t.Fatalf("a record cut to %d of %d bytes was read", n, len(record))
		}
	}
	for n := range len(chunk) {
		if _, err := ReadChunk(chunk[:n]); err == nil {
			t.Fatalf("an index cut to %d of %d bytes was read", n, len(chunk))
		}
	}
	c, err := ReadChunk(chunk)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(bodies) {
		if _, _, err := c.Cases(bodies[:n]); err == nil {
			t.Fatalf("bodies cut to %d of %d bytes were read", n, len(bodies))
		}
	}
}

func FuzzReadChunk(f *testing.F) {
	b := NewBuilder(3)
	if err := b.Add(sampleCase("a"), Entry{Trial: 1, Applies: newel.NewBitmap(3)}); err != nil {
		f.Fatal(err)
	}
	index, bodies := b.Bytes()
	f.Add(index, bodies)
	f.Fuzz(func(_ *testing.T, index, bodies []byte) {
		if c, err := ReadChunk(index); err == nil {
			c.Bodies = newel.HashOf(bodies)
			_, _, _ = c.Cases(bodies)
		}
	})
}

func FuzzReadRecord(f *testing.F) {
	f.Add(AppendRecord(nil, sampleRecord(), sampleNames))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = ReadRecord(data, sampleNames, true, &Record{})
	})
}
