package gate

import (
	"strings"

	"newel"
	"newel/stat"
)

// maxSlices is how many values of a dimension are told apart.
const maxSlices = 1000

// maxNamed is how many cases a rule names.
const maxNamed = 20

// view is one rubric as some rules need it: whole, or by the values of a
// dimension.
type view struct {
	rubric  int
	by      string
	need    need
	cells   map[string]*cell // by value; whole views have one, called ""
	crowded bool             // more values than are told apart
	without int64            // rows that lack the dimension
}

// need is what the rules of a view read.
type need struct {
	rows, pairs bool
	scorers     []string
}

// cell is what the rules of one rubric, or of one slice of it, are read from.
type cell struct {
	planned, missing int64
	rows             stat.Tally
	failing          []string // names, the first few
	lacking          []string // of missing rows
	pairs            stat.PairTally
	candidates       int64 // rows that could have a partner
	broken, fixed    []string
	values           map[string]*values
}

// of returns the cell of an item, nil where it belongs to none.
func (v *view) of(it *newel.ItemRows) *cell {
	value := ""
	if v.by != "" {
		found, ok := newel.FindDim(it.Dims, v.by)
		if !ok {
			v.without++
			return nil
		}
		value = found
	}
	if c := v.cells[value]; c != nil || v.crowded {
		return c
	}
	if len(v.cells) >= maxSlices {
		v.crowded, v.cells = true, nil
		return nil
	}
	c := &cell{values: map[string]*values{}}
	v.cells[strings.Clone(value)] = c
	return c
}

// observed is a row on its way into cells.
type observed struct {
	it      *newel.ItemRows
	res     *newel.Result
	row     stat.Row
	could   bool // whether it could have a partner in the baseline
	paired  bool // whether it has
	partner stat.Side
	same    bool // as in stat.Pair
	trials  int
}

// name returns how people read the row's item, for keeping.
func (o *observed) name() string { return strings.Clone(o.it.Show(o.trials)) }

func (c *cell) add(need *need, o *observed) {
	c.planned++
	if missing(o.res) {
		c.missing++
		c.lacking = o.list(c.lacking)
	}
	if need.rows {
		c.rows.Add(o.row)
		if o.row.Mark == stat.Fail {
			c.failing = o.list(c.failing)
		}
	}
	if need.pairs && o.could {
		c.pair(o)
	}
	for _, name := range need.scorers {
		c.value(name, o)
	}
}

// list adds the row's name while there is room.
func (o *observed) list(names []string) []string {
	if len(names) >= maxNamed {
		return names
	}
	return append(names, o.name())
}

func (c *cell) pair(o *observed) {
	c.candidates++
	if !o.paired {
		return
	}
	pair := stat.Pair{
		Candidate: stat.Side{Pred: o.row.Pred, Stratum: o.row.Stratum, Mark: o.row.Mark},
		Baseline:  o.partner, Cluster: o.row.Cluster, Same: o.same,
	}
	c.pairs.Add(pair)
	switch {
	case pair.Same:
	case pair.Candidate.Mark == stat.Fail && pair.Baseline.Mark == stat.Pass:
		c.broken = o.list(c.broken)
	case pair.Candidate.Mark == stat.Pass && pair.Baseline.Mark == stat.Fail:
		c.fixed = o.list(c.fixed)
	}
}

// value notes the first value that a scorer gave the row.
func (c *cell) value(name string, o *observed) {
	for i := range o.res.Scores {
		s := &o.res.Scores[i]
		if s.Scorer != name || !s.HasValue {
			continue
		}
		if c.values[name] == nil {
			c.values[name] = &values{at: map[newel.Value]int{}}
		}
		c.values[name].add(s.Value, o.row.Cluster)
		return
	}
}

// values gathers a scorer's values, equal ones of rows that stand alone as one.
type values struct {
	list []stat.Value
	at   map[newel.Value]int
}

// maxDistinct is how many different values are merged.
const maxDistinct = 10_000

func (v *values) add(value newel.Value, cluster int32) {
	if cluster == stat.Alone {
		if i, ok := v.at[value]; ok {
			v.list[i].Times++
			return
		}
		if len(v.at) < maxDistinct {
			v.at[value] = len(v.list)
		}
	}
	v.list = append(v.list, stat.Value{Value: value.Float(), Cluster: cluster, Times: 1})
}

func resultOf(it *newel.ItemRows, rubric int) *newel.Result {
	for i := range it.Results {
		if it.Results[i].Rubric == rubric {
			return &it.Results[i]
		}
	}
	return nil
}

// at returns list[i], zero where the list is shorter.
func at[T any](list []T, i int) (value T) {
	if i < len(list) {
		value = list[i]
	}
	return value
}
