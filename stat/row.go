package stat

import "math"

// Mark is what is known of a row.
type Mark uint8

// The marks. A row that the draw left out is not missing; a row that should
// have a verdict and has none is.
const (
	Undrawn Mark = iota
	Missing
	Fail
	Pass
)

// Decided says whether the mark is a verdict.
func (m Mark) Decided() bool { return m >= Fail }

// Row is one planned row of a rubric, or several equal ones.
type Row struct {
	Pred    float64 // prediction of the layers below the judge in [0,1]; NaN means none
	Cluster int32   // index of its cluster, or Alone
	Times   int32   // how many equal rows this stands for; 0 means 1
	Stratum uint16  // index of (settling layer, its verdict) or residual, with one drawing probability
	Mark    Mark
}

func (r Row) times() int64 { return max(1, int64(r.Times)) }

func (r Row) scored() bool { return !math.IsNaN(r.Pred) && !math.IsInf(r.Pred, 0) }

// Tally gathers rows and merges equal ones, so that a run of any size whose
// rows stand alone and carry no score costs a few entries. The zero value is
// ready.
type Tally struct {
	rows []Row
	at   map[rowKey]int
}

type rowKey struct {
	pred    float64 // −1 for none
	stratum uint16
	mark    Mark
}

// Add counts a row.
func (t *Tally) Add(r Row) {
	r.Times = int32(r.times())
	if r.Cluster < 0 {
		r.Cluster = Alone
		if key, ok := r.key(); ok {
			t.merge(r, key)
			return
		}
	}
	if last := len(t.rows) - 1; last >= 0 && r.joins(t.rows[last]) {
		t.rows[last].Times += r.Times
		return
	}
	t.rows = append(t.rows, r)
}

func (t *Tally) merge(r Row, key rowKey) {
	at, known := t.at[key]
	if known && r.joins(t.rows[at]) {
		t.rows[at].Times += r.Times
		return
	}
	if t.at == nil {
		t.at = map[rowKey]int{}
	}
	t.at[key] = len(t.rows)
	t.rows = append(t.rows, r)
}

// key tells rows apart that are worth merging at a distance: those without a
// score, and those with a verdict for one.
func (r Row) key() (rowKey, bool) {
	if !r.scored() {
		return rowKey{-1, r.Stratum, r.Mark}, true
	}
	return rowKey{r.Pred, r.Stratum, r.Mark}, r.Pred == 0 || r.Pred == 1
}

// joins says whether r can be counted into o.
func (r Row) joins(o Row) bool {
	same := r.Cluster == o.Cluster && r.Stratum == o.Stratum && r.Mark == o.Mark
	pred := r.Pred == o.Pred || !r.scored() && !o.scored()
	return same && pred && int64(r.Times)+int64(o.Times) <= math.MaxInt32
}

// Rows are the rows gathered so far, in order of their first appearance.
func (t *Tally) Rows() []Row { return t.rows }
