// Package suite reads definitions strictly, every mistake at once and each
// with its place, and compiles them into what the other packages run.
//
// It is where the parts are put together: checks into floors, floors into
// rubrics, sources into a stream of cases. It runs nothing.
package suite

import (
	"errors"
	"fmt"
	"io"
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
	media   map[string]string // hashes of files, by path
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
	// Dir is where a restored suite stood, for the commands of its target.
	// Load knows it by itself.
	Dir string
	// Idle says that no target is asked here: a command that may not run is no
	// mistake.
	Idle bool
	// Overrides are put in place of what the file says; a restored suite has them
	// already.
	Overrides []Override
	Lookup    func(name string) (string, bool)
	Now       func() time.Time
}

// Load reads the suite in a file. An error is a *newel.Mistakes unless the
// file cannot be opened.
func Load(path string, env Env) (*Suite, error) {
	text, err := readSuite(path)
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
	override(root, env.Overrides, &m)
	return build(root, dir, files, env, &m)
}

// maxSuite is how large a suite may be, in bytes: cases in their thousands
// belong into a data file, which is read as a stream.
const maxSuite = 64 << 20

func readSuite(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path) // to open a pipe would wait for ever
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxSuite {
		return nil, tooLarge(path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSuite+1))
	if len(text) > maxSuite {
		return nil, tooLarge(path)
	}
	return text, err
}

func tooLarge(path string) error {
	var m newel.Mistakes
	m.Add(newel.Pos{File: path}, "a suite has at most %d MiB: put its cases into a data file, such as cases.jsonl", maxSuite>>20)
	return m.Err()
}

var topKeys = []string{"newel", "name", "description", "data", "matrix", "target", "targets", "trials", "rubrics",
	"judge", "budget", "cache", "seed", "slices", "gate", "quarantine", "stages", "resources"}

// build reads a definition from its nodes.
func build(root *newel.Node, dir string, files *Files, env Env, m *newel.Mistakes) (*Suite, error) {
	d := &decoder{m: m, files: files}
	s := &Suite{Dir: dir, Trials: 1, root: root, files: files}
	if !d.object(root, "a suite", topKeys...) {
		return nil, m.Err()
	}
	d.version(root)
	s.top(d, env)
	s.Matrix = d.matrix(root.Field("matrix"))
	s.targets(d, env)
	s.rubrics(d)
	s.gateways(d)
	s.settings(d)
	s.combinations(d)
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
		if !root.Lacks("newel", topKeys) {
			return
		}
		d.wrong(root.Pos, `the first line says which version of the format this is: newel: v1`)
		return
	}
	if v, _ := n.Text(); v != "v1" {
		d.wrong(n.Pos, "newel is the version of the format; this program reads v1, not %s", shown(n))
	}
}

func (s *Suite) top(d *decoder, env Env) {
	name := s.root.Field("name")
	if s.root.Lacks("name", topKeys) {
		d.wrong(s.root.Pos, "a suite needs a name")
	}
	s.Name = d.text(name, "name")
	source := s.root.Field("data")
	if s.root.Lacks("data", topKeys) {
		d.wrong(s.root.Pos, "a suite needs data: files or cases")
	}
	if source == nil || s.files.root == nil {
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
