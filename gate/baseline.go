package gate

import (
	"encoding/binary"
	"math"

	"newel"
	"newel/stat"
)

// baseline is another run, kept as small as pairing allows: 24 bytes an item,
// one for each rubric that is compared and four where a classifier may have
// scored it, and the slots that find it.
type baseline struct {
	columns []*column // by rubric of the candidate; nil where none compares
	ids     []newel.ItemID
	scored  []uint64 // beginning of the hash of what was scored
	slots   []uint32 // open addressing by id; 0 is free, else 1 + index
	trials  int      // the highest trial seen
	items   int      // as planned, and as they went by
	undone  int
}

// column is one rubric of the baseline.
type column struct {
	index  int // in the baseline's plan
	judged bool
	marks  []uint8 // 0: no row
	preds  []int32 // in units of newel.Value; −1: none; nil without a judge
	rows   int     // rows outside quarantine
	met    int     // rows that the candidate has too
}

// maxReserve is for how many items space is set aside on a plan's word.
const maxReserve = 4 << 20

func newBaseline(plan *newel.Plan) *baseline {
	n := min(max(plan.Items, 0), maxReserve)
	b := &baseline{ids: make([]newel.ItemID, 0, n), scored: make([]uint64, 0, n)}
	size := 16
	for size < n+n/2 {
		size *= 2
	}
	b.slots = make([]uint32, size)
	return b
}

// compare makes room for a rubric.
func (b *baseline) compare(rubric, rubrics, index int, plan *newel.Plan) {
	if b.columns == nil {
		b.columns = make([]*column, rubrics)
	}
	if b.columns[rubric] != nil {
		return
	}
	c := &column{index: index, judged: at(plan.Judged, index)}
	c.marks = make([]uint8, 0, cap(b.ids))
	if c.judged {
		c.preds = make([]int32, 0, cap(b.ids))
	}
	b.columns[rubric] = c
}

// add takes in one item, up to the candidate's last trial. Rows of quarantined
// cases are left out.
func (b *baseline) add(it *newel.ItemRows, trials int) {
	b.items++
	if !it.Done {
		b.undone++
	}
	if it.Quarantined || it.Trial > trials || b.columns == nil {
		return
	}
	id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
	if !b.put(id) {
		return
	}
	b.trials = max(b.trials, it.Trial)
	b.scored = append(b.scored, beginning(it.Scored))
	for _, c := range b.columns {
		if c != nil {
			c.add(resultOf(it, c.index))
		}
	}
}

// beginning is enough of a hash to tell whether two are equal.
func beginning(h newel.Hash) uint64 { return binary.BigEndian.Uint64(h[:8]) }

func (c *column) add(res *newel.Result) {
	mark, pred := uint8(0), int32(-1)
	if res != nil {
		row := RowOf(res, c.judged)
		c.rows++
		mark = 0x80 | uint8(row.Stratum)<<2 | uint8(row.Mark)
		if !math.IsNaN(row.Pred) {
			pred = int32(math.Round(row.Pred * newel.ValueScale))
		}
	}
	c.marks = append(c.marks, mark)
	if c.judged {
		c.preds = append(c.preds, pred)
	}
}

// side returns item's half of a pair.
func (c *column) side(item int) (side stat.Side, ok bool) {
	mark := c.marks[item]
	if mark == 0 {
		return side, false
	}
	side = stat.Side{Pred: math.NaN(), Stratum: uint16(mark &^ 0x80 >> 2), Mark: stat.Mark(mark & 3)}
	if c.judged && c.preds[item] >= 0 {
		side.Pred = newel.Value(c.preds[item]).Float()
	}
	return side, true
}

// find returns the index of an item.
func (b *baseline) find(id newel.ItemID) (item int, ok bool) {
	mask := uint64(len(b.slots) - 1)
	for i := binary.BigEndian.Uint64(id[:8]) & mask; b.slots[i] != 0; i = (i + 1) & mask {
		if n := int(b.slots[i]) - 1; b.ids[n] == id {
			return n, true
		}
	}
	return 0, false
}

// put adds an id; false says that it was there.
func (b *baseline) put(id newel.ItemID) bool {
	if _, there := b.find(id); there {
		return false
	}
	if 4*len(b.ids) >= 3*len(b.slots) {
		b.slots = make([]uint32, 2*len(b.slots))
		for i := range b.ids {
			b.slot(b.ids[i], i)
		}
	}
	b.ids = append(b.ids, id)
	b.slot(id, len(b.ids)-1)
	return true
}

func (b *baseline) slot(id newel.ItemID, item int) {
	mask := uint64(len(b.slots) - 1)
	i := binary.BigEndian.Uint64(id[:8]) & mask
	for b.slots[i] != 0 {
		i = (i + 1) & mask
	}
	b.slots[i] = uint32(item + 1)
}
