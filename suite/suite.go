// Package suite reads definitions strictly, every mistake at once and each
// with its place, and compiles them into what the other packages run.
//
// It is where the parts are put together: checks into floors, floors into
// rubrics, sources into a stream of cases. It runs nothing.
package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"newel"
	"newel/data"
	"newel/gate"
	"newel/target"
)

// Suite is a definition, read and checked.
type Suite struct {
	Name       string
	Dir        string // its folder
	Sources    *data.Set
	Matrix     []Axis
	Targets    *target.Set // nil where every case brings its output
	Trials     int
	Rubrics    []*Rubric
	Budget     newel.Money // 0: none
	Cache      time.Duration
	Seed       int64
	Slices     [][]string // nil: each dimension by itself
	Gate       []gate.Rule
	Quarantine []Quarantine
	Digest     newel.Hash
	Variables  []string // that workers need

	root    *newel.Node
	files   *Files
	folders *data.Folders
}

// Axis is one dimension of the matrix.
type Axis struct {
	Name   string
	Values []string
}

// Quarantine counts a case apart until a date.
type Quarantine struct {
	ID    string
	Until time.Time // the day, UTC; the case counts again from it on
	Why   string
	Pos   newel.Pos
}

// Env is what reading a suite may reach.
type Env struct {
	DataRoots     []string // folders besides the suite's own that data may come from
	AllowCommands []string // folders whose commands may run
	Lookup        func(name string) (string, bool)
	Now           func() time.Time
}

// Load reads the suite in a file. An error is a *newel.Mistakes unless the
// file cannot be opened.
func Load(path string, env Env) (*Suite, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read suite: %w", err)
	}
	dir := filepath.Dir(path)
	files, err := OpenFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("read suite: %w", err)
	}
	defer files.Close()
	var m newel.Mistakes
	root := ParseYAML(path, text, &m)
	if root == nil {
		return nil, m.Err()
	}
	return build(root, dir, files, env, &m)
}

var topKeys = []string{"newel", "name", "description", "data", "matrix", "target", "targets", "trials", "rubrics",
	"judge", "budget", "cache", "seed", "slices", "gate", "quarantine", "stages", "resources"}

// build reads a definition from its nodes.
func build(root *newel.Node, dir string, files *Files, env Env, m *newel.Mistakes) (*Suite, error) {
	d := &decoder{m}
	s := &Suite{Dir: dir, Trials: 1, root: root, files: files}
	if !d.object(root, "a suite", topKeys...) {
		return nil, m.Err()
	}
	d.version(root)
	s.top(d, env)
	s.Matrix = d.matrix(root.Field("matrix"))
	s.targets(d, env)
	s.rubrics(d)
	s.settings(d)
	s.gate(d)
	if m.Len() > 0 {
		return nil, errors.Join(m.Err(), s.Close())
	}
	digest, err := s.digest()
	s.Digest = digest
	return s, err
}

func (d *decoder) version(root *newel.Node) {
	n := root.Field("newel")
	if n == nil {
		d.wrong(root.Pos, `the first line says which version of the format this is: newel: v1`)
		return
	}
	if v, _ := n.Text(); v != "v1" {
		d.wrong(n.Pos, "newel: this binary reads v1")
	}
}

func (s *Suite) top(d *decoder, env Env) {
	name := s.root.Field("name")
	if name == nil {
		d.wrong(s.root.Pos, "a suite needs a name")
	}
	s.Name = d.text(name, "name")
	source := s.root.Field("data")
	if source == nil {
		d.wrong(s.root.Pos, "a suite needs data: files or cases")
		return
	}
	if s.files.root == nil {
		return
	}
	folders, err := data.OpenFolders(s.Dir, env.DataRoots...)
	if err != nil {
		d.wrong(source.Pos, "data: %v", err)
		return
	}
	s.folders = folders
	s.Sources = data.ParseSources(source, data.Env{Folders: folders}, d.m)
}

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

func (d *decoder) budget(n *newel.Node) newel.Money {
	usd := n.Field("usd")
	if usd == nil {
		d.wrong(n.Pos, "budget needs usd")
		return 0
	}
	raw, err := jsonOf(usd)
	if err == nil {
		var m newel.Money
		if m, err = newel.ParseMoney(string(raw)); err == nil && m > 0 {
			return m
		}
	}
	d.wrong(usd.Pos, "budget: usd is a number of dollars above 0")
	return 0
}

func (d *decoder) matrix(n *newel.Node) []Axis {
	if n == nil {
		return nil
	}
	if !n.IsMap() {
		d.wrong(n.Pos, "matrix is a map of a name to a list of values; this is %s", n.Kind())
		return nil
	}
	var axes []Axis
	for _, f := range n.Fields {
		axis := Axis{Name: f.Name}
		seen := map[string]bool{}
		for _, e := range d.items(f.Node, "matrix: "+f.Name) {
			v, ok := scalarText(e)
			if !ok || seen[v] {
				d.wrong(e.Pos, "matrix: %s: values are different texts, numbers, true or false", f.Name)
			}
			seen[v] = true
			axis.Values = append(axis.Values, v)
		}
		axes = append(axes, axis)
	}
	sortAxes(axes)
	return axes
}

func (d *decoder) slices(n *newel.Node) [][]string {
	if n == nil {
		return nil
	}
	out := [][]string{}
	if !n.IsList() {
		d.wrong(n.Pos, "slices is a list of lists of dimensions, such as [[language], [language, route]]")
		return out
	}
	for _, e := range n.List {
		out = append(out, d.texts(e, "slices: a dimension"))
	}
	return out
}

func (d *decoder) quarantine(n *newel.Node) []Quarantine {
	if n == nil {
		return nil
	}
	var out []Quarantine
	for _, e := range d.items(n, "quarantine") {
		if !d.object(e, "a quarantine entry", "id", "until", "why") {
			continue
		}
		q := Quarantine{Pos: e.Pos}
		for _, need := range []string{"id", "until", "why"} {
			if e.Field(need) == nil {
				d.wrong(e.Pos, "a quarantine entry needs %s", need)
			}
		}
		if id := e.Field("id"); id != nil {
			q.ID, _ = scalarText(id)
		}
		q.Why = d.text(e.Field("why"), "why")
		if until := e.Field("until"); until != nil {
			text, _ := until.Text()
			day, err := time.Parse(time.DateOnly, text)
			if err != nil {
				d.wrong(until.Pos, "until is a day such as 2027-01-31")
			}
			q.Until = day
		}
		out = append(out, q)
	}
	return out
}

// File returns where the suite was written.
func (s *Suite) File() string { return s.root.Pos.File }

// Close lets go of the suite's folders and ends the commands of its targets.
func (s *Suite) Close() error {
	if s.Targets != nil {
		s.Targets.Close()
	}
	if s.folders == nil {
		return nil
	}
	return s.folders.Close()
}
