package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"

	"newel"
)

// reportVersion is the version of the report digest.
const reportVersion = 1

// spillBytes is how much a digest holds in memory before it sorts what it has
// into a temporary file.
const spillBytes = 8 << 20

// Digest computes a run's report digest: SHA-256 over a header of {version,
// scoring revision, suite digest}, then the leaf of each item in order of (case
// id, matrix, trial). A leaf is the SHA-256 of the item's rows, in order of
// rubric name, each as canonical JSON: what was decided and on what, and
// nothing of cost, time, place or wording.
//
// Items may be added in any order; memory does not grow with their number.
type Digest struct {
	plan   *newel.Plan
	order  []int // rubrics by name
	buf    []byte
	arena  []byte
	places []place
	runs   []*os.File
}

// place is where an entry stands in the arena: a sort key and a leaf.
type place struct{ at, key, end int }

// NewDigest returns an empty digest for a plan.
func NewDigest(plan *newel.Plan) *Digest {
	d := &Digest{plan: plan, order: make([]int, len(plan.Rubrics))}
	for i := range d.order {
		d.order[i] = i
	}
	sort.Slice(d.order, func(a, b int) bool { return plan.Rubrics[d.order[a]] < plan.Rubrics[d.order[b]] })
	return d
}

// Add takes in one finished item.
func (d *Digest) Add(it *newel.ItemRows) error {
	leaf := d.leaf(it)
	start := len(d.arena)
	d.arena = appendSortKey(d.arena, it)
	key := len(d.arena)
	d.arena = append(d.arena, leaf[:]...)
	d.places = append(d.places, place{start, key, len(d.arena)})
	if len(d.arena) > spillBytes {
		return d.spill()
	}
	return nil
}

// appendSortKey adds a key whose byte order is that of (case id, matrix,
// trial).
func appendSortKey(b []byte, it *newel.ItemRows) []byte {
	b = appendOrdered(b, it.Case)
	for _, m := range it.Matrix {
		b = appendOrdered(appendOrdered(b, m.Name), m.Value)
	}
	b = append(b, 0, 0)
	return binary.BigEndian.AppendUint32(b, uint32(it.Trial))
}

// appendOrdered adds a text such that no text is the beginning of another.
func appendOrdered(b []byte, text string) []byte {
	for i := range len(text) {
		b = append(b, text[i])
		if text[i] == 0 {
			b = append(b, 0xff)
		}
	}
	return append(b, 0, 1)
}

func (d *Digest) leaf(it *newel.ItemRows) newel.Hash {
	id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
	d.buf = d.buf[:0]
	for _, rubric := range d.order {
		for i := range it.Results {
			if it.Results[i].Rubric == rubric {
				d.buf = d.appendRow(d.buf, id, it.Scored, &it.Results[i])
			}
		}
	}
	return newel.HashOf(d.buf)
}

// appendRow adds one row as canonical JSON, members in order of name.
func (d *Digest) appendRow(b []byte, id newel.ItemID, scored newel.Hash, r *newel.Result) []byte {
	b = append(b, `{"error":`...)
	if r.Err != nil {
		b = newel.AppendString(b, string(r.Err.Kind))
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"inclusion":`...)
	b = appendFloat(b, r.Inclusion)
	b = appendHex(append(b, `,"item":"`...), id[:])
	b = append(append(b, `","layer":"`...), r.Layer.String()...)
	b = newel.AppendString(append(b, `","reason":`...), r.Reason)
	b = appendReplies(append(b, `,"replies":[`...), r)
	b = append(b, `],"rubric":`...)
	b = newel.AppendString(b, d.plan.Rubrics[r.Rubric])
	b = appendHex(append(b, `,"scored":"`...), scored[:])
	b = append(b, `","scores":[`...)
	for i := range r.Scores {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendScore(b, &r.Scores[i])
	}
	b = appendValue(append(b, `],"value":`...), r.Value, r.HasValue)
	b = append(append(b, `,"verdict":"`...), r.Verdict.String()...)
	return append(b, '"', '}', '\n')
}

// appendReplies adds [call key, hash of the reply] for each reply that was read.
// Calls that brought none are no replies, and who paid for one is left out.
func appendReplies(b []byte, r *newel.Result) []byte {
	first := true
	for i := range r.Scores {
		for _, c := range r.Scores[i].Calls {
			if c.Reply.IsZero() {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendHex(append(b, '[', '"'), c.Key[:])
			b = appendHex(append(b, '"', ',', '"'), c.Reply[:])
			b = append(b, '"', ']')
		}
	}
	return b
}

func appendScore(b []byte, s *newel.Score) []byte {
	b = newel.AppendString(append(b, '['), s.Scorer)
	b = append(append(b, `,"`...), s.Layer.String()...)
	b = append(append(b, `","`...), s.Verdict.String()...)
	b = appendValue(append(b, `",`...), s.Value, s.HasValue)
	return append(b, ']')
}

func appendValue(b []byte, v newel.Value, has bool) []byte {
	if !has {
		return append(b, "null"...)
	}
	return v.Append(b)
}

func appendFloat(b []byte, f float64) []byte {
	text := strconv.AppendFloat(nil, f, 'g', -1, 64)
	out, err := newel.AppendCanonical(b, text)
	if err != nil {
		return append(b, text...)
	}
	return out
}

func appendHex(b, data []byte) []byte {
	const digits = "0123456789abcdef"
	for _, c := range data {
		b = append(b, digits[c>>4], digits[c&15])
	}
	return b
}

// spill sorts what is held into a temporary file that has no name any more.
func (d *Digest) spill() error {
	d.sort()
	f, err := os.CreateTemp("", "newel-digest-*")
	if err != nil {
		return fmt.Errorf("report digest: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return errors.Join(fmt.Errorf("report digest: %w", err), f.Close())
	}
	d.runs = append(d.runs, f)
	w := bufio.NewWriter(f)
	var head []byte
	for _, p := range d.places {
		head = binary.AppendUvarint(head[:0], uint64(p.key-p.at))
		w.Write(head)
		w.Write(d.arena[p.at:p.end])
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("report digest: %w", err)
	}
	d.arena, d.places = d.arena[:0], d.places[:0]
	_, err = f.Seek(0, io.SeekStart)
	return err
}

func (d *Digest) key(p place) []byte { return d.arena[p.at:p.key] }

func (d *Digest) sort() {
	slices.SortFunc(d.places, func(a, b place) int { return bytes.Compare(d.key(a), d.key(b)) })
}

// Sum returns the digest. The Digest is used up.
func (d *Digest) Sum() (newel.Hash, error) {
	defer d.Close()
	h := sha256.New()
	header, err := newel.CanonicalOf(map[string]any{"report": reportVersion, "scoring": d.plan.Scoring, "suite": d.plan.SuiteDigest})
	if err != nil {
		return newel.Hash{}, err
	}
	h.Write(append(header, '\n'))
	d.sort()
	if len(d.runs) == 0 {
		for _, p := range d.places {
			h.Write(d.arena[p.key:p.end])
		}
		return newel.Hash(h.Sum(nil)), nil
	}
	if len(d.places) > 0 {
		if err := d.spill(); err != nil {
			return newel.Hash{}, err
		}
	}
	err = d.merge(h)
	return newel.Hash(h.Sum(nil)), err
}

// Close lets go of temporary files.
func (d *Digest) Close() {
	for _, f := range d.runs {
		f.Close()
	}
	d.runs = nil
}

// merge hashes the leaves of all runs in order of key.
func (d *Digest) merge(h hash.Hash) error {
	var tops mergeHeap
	for _, f := range d.runs {
		s := &spilled{r: bufio.NewReaderSize(f, 64<<10)}
		more, err := s.next()
		if err != nil {
			return err
		}
		if more {
			tops = append(tops, s)
		}
	}
	heap.Init(&tops)
	for len(tops) > 0 {
		h.Write(tops[0].leaf[:])
		more, err := tops[0].next()
		if err != nil {
			return err
		}
		if !more {
			heap.Pop(&tops)
			continue
		}
		heap.Fix(&tops, 0)
	}
	return nil
}

// spilled reads one sorted file.
type spilled struct {
	r    *bufio.Reader
	key  []byte
	leaf newel.Hash
}

func (s *spilled) next() (bool, error) {
	n, err := binary.ReadUvarint(s.r)
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("report digest: %w", err)
	}
	s.key = slices.Grow(s.key[:0], int(n))[:n]
	if _, err := io.ReadFull(s.r, s.key); err != nil {
		return false, fmt.Errorf("report digest: %w", err)
	}
	_, err = io.ReadFull(s.r, s.leaf[:])
	return err == nil, err
}

type mergeHeap []*spilled

func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return cmp.Compare(bytes.Compare(h[i].key, h[j].key), 0) < 0 }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mergeHeap) Push(x any)        { *h = append(*h, x.(*spilled)) }
func (h *mergeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
