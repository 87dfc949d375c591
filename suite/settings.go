package suite

import (
	"slices"
	"time"

	"newel"
)

// settings reads what stands beside data and rubrics.
func (s *Suite) settings(d *decoder) {
	if n := s.root.Field("trials"); n != nil {
		s.Trials = d.whole(n, "trials", 1, 1000)
	}
	if n := s.root.Field("seed"); n != nil {
		s.Seed = int64(d.whole(n, "seed", 0, 1<<53))
	}
	if n := s.root.Field("cache"); n != nil {
		s.Cache = d.duration(n, "cache")
	}
	if n := s.root.Field("budget"); n != nil && d.object(n, "budget", "usd") {
		s.Budget = d.budget(n)
	}
	s.Slices = d.slices(s.root.Field("slices"))
	s.Quarantine = d.quarantine(s.root.Field("quarantine"))
	if n := s.root.Field("stages"); n != nil {
		d.object(n, "stages", "fetch", "score", "attach", "report")
	}
}

// CacheWritten reports whether the suite says how old a reply may be to be used
// again.
func (s *Suite) CacheWritten() bool { return s.root.Field("cache") != nil }

func (d *decoder) budget(n *newel.Node) newel.Money {
	usd := n.Field("usd")
	if usd == nil {
		d.wrong(n.Pos, "budget needs usd, such as {usd: 5.00}")
		return 0
	}
	raw, err := jsonOf(usd)
	if err == nil {
		var m newel.Money
		if m, err = newel.ParseMoney(string(raw)); err == nil && m > 0 {
			return m
		}
	}
	d.wrong(usd.Pos, "budget: usd is a number of dollars above 0; this is %s", shown(usd))
	return 0
}

// maxCombinations is how many items a case may become: every combination of
// the matrix with every target and trial.
const maxCombinations = 10_000

func (d *decoder) matrix(n *newel.Node) []Axis {
	if n == nil {
		return nil
	}
	if !n.IsMap() {
		d.wrong(n.Pos, "matrix is a map of a name to a list of values, such as {tone: [plain, formal]}; this is %s", n.Kind())
		return nil
	}
	var axes []Axis
	for _, f := range n.Fields {
		if f.Name == "target" {
			d.wrong(f.Pos, "matrix: the dimension target belongs to targets: choose another name")
		}
		axes = append(axes, d.axis(f))
	}
	if len(axes) == 0 {
		d.wrong(n.Pos, "matrix is empty: name a dimension with its values, or remove it")
	}
	sortAxes(axes)
	return axes
}

// multiplied is where the suite says that a case becomes several items.
func (s *Suite) multiplied() newel.Pos {
	for _, key := range []string{"matrix", "targets", "trials"} {
		if n := s.root.Field(key); n != nil {
			return n.Pos
		}
	}
	return s.root.Pos
}

func (d *decoder) axis(f *newel.Field) Axis {
	axis := Axis{Name: f.Name}
	for _, e := range d.items(f.Node, "matrix: "+f.Name) {
		v, ok := scalarText(e)
		switch {
		case !ok:
			d.wrong(e.Pos, "matrix: %s: a value is a text, a number, true or false; this is %s", f.Name, e.Kind())
		case slices.Contains(axis.Values, v):
			d.wrong(e.Pos, "matrix: %s: %s stands twice", f.Name, shown(e))
		}
		axis.Values = append(axis.Values, v)
	}
	return axis
}

// combinations notes a matrix that makes too many items of one case.
func (s *Suite) combinations(d *decoder) {
	n := s.Trials
	for _, a := range s.Axes() {
		n *= max(1, len(a.Values))
		if n > maxCombinations {
			d.wrong(s.multiplied(), "matrix, targets and trials make more than %d items of each case: leave some out", maxCombinations)
			return
		}
	}
}

func (d *decoder) slices(n *newel.Node) [][]string {
	if n == nil {
		return nil
	}
	out := [][]string{}
	if !n.IsList() {
		d.wrong(n.Pos, "slices is a list of lists of dimensions, such as [[language], [language, route]]; this is %s", n.Kind())
		return out
	}
	for _, e := range n.List {
		if e.IsList() && len(e.List) == 0 {
			d.wrong(e.Pos, "slices: an empty list names no dimension")
		}
		out = append(out, d.texts(e, "slices: a dimension"))
	}
	return out
}

func (d *decoder) quarantine(n *newel.Node) []Quarantine {
	if n == nil {
		return nil
	}
	var out []Quarantine
	seen := map[string]bool{}
	for _, e := range d.items(n, "quarantine") {
		if !d.object(e, "a quarantine entry", "id", "until", "why") {
			continue
		}
		q := d.quarantined(e)
		if seen[q.ID] && q.ID != "" {
			d.wrong(e.Field("id").Pos, "quarantine: %q stands twice", q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
	}
	return out
}

func (d *decoder) quarantined(n *newel.Node) Quarantine {
	q := Quarantine{Pos: n.Pos}
	for _, need := range []string{"id", "until", "why"} {
		if n.Field(need) == nil {
			d.wrong(n.Pos, "a quarantine entry needs %s", need)
		}
	}
	if id := n.Field("id"); id != nil {
		var ok bool
		if q.ID, ok = scalarText(id); !ok || q.ID == "" {
			d.wrong(id.Pos, "quarantine: id is the id of a case; this is %s", id.Kind())
		}
	}
	q.Why = d.text(n.Field("why"), "why")
	if until := n.Field("until"); until != nil {
		text, _ := until.Text()
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			d.wrong(until.Pos, "until is a day such as 2027-01-31; this is %s", shown(until))
		}
		q.Until = day
	}
	return q
}
