package data_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newel"
	"newel/data"
)

// write makes files under a new folder and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// parse reads a data key that stands at suite.yaml:4.
func parse(t testing.TB, dir string, source any, roots ...string) (*data.Set, *newel.Mistakes) {
	t.Helper()
	folders, err := data.OpenFolders(dir, roots...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folders.Close() })
	var m newel.Mistakes
	node := newel.NodeOf(source, newel.Pos{File: "suite.yaml", Line: 4})
	return data.ParseSources(node, data.Env{Folders: folders}, &m), &m
}

func mustParse(t testing.TB, dir string, source any, roots ...string) *data.Set {
	t.Helper()
	set, m := parse(t, dir, source, roots...)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	return set
}

// read returns all entries and the mistakes, whether found before or while
// reading.
func read(t testing.TB, dir string, source any, workers int) ([]data.Entry, string) {
	t.Helper()
	set, m := parse(t, dir, source)
	if m.Len() > 0 {
		return nil, m.Error()
	}
	var all []data.Entry
	err := set.Read(context.Background(), workers, func(b data.Batch) error {
		all = append(all, b...)
		return nil
	})
	var wrong *newel.Mistakes
	switch {
	case errors.As(err, &wrong):
		return all, wrong.Error()
	case err != nil:
		t.Fatal(err)
	}
	return all, ""
}

func bytesOf(text string) *strings.Reader { return strings.NewReader(text) }

// show writes a case as JSON, fields that are absent left out.
func show(t testing.TB, c *newel.Case) string {
	t.Helper()
	out := map[string]any{"id": c.ID}
	put := func(name string, v any, there bool) {
		if there {
			out[name] = v
		}
	}
	put("input", c.Input, c.Input != nil)
	put("output", c.Output, c.Output != nil)
	put("outputs", named(c.Outputs), c.Outputs != nil)
	put("reference", c.Reference, c.Reference != nil)
	put("context", c.Context, c.Context != nil)
	put("media", c.Media, c.Media != nil)
	put("turns", c.Turns, c.Turns != nil)
	put("tags", c.Tags, c.Tags != nil)
	put("vars", named(c.Vars), c.Vars != nil)
	put("labels", named(c.Labels), c.Labels != nil)
	put("raters", named(c.Raters), c.Raters != nil)
	put("cluster", c.Cluster, c.Cluster != "")
	put("checks", c.Checks, c.Checks != nil)
	put("criteria", c.Criteria, c.Criteria != nil)
	put("run", c.Run, c.Run != nil)
	dims := map[string]string{}
	for _, d := range c.Dims {
		dims[d.Name] = d.Value
	}
	put("dims", dims, c.Dims != nil)
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func named(list []newel.Named) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for _, n := range list {
		m[n.Name] = json.RawMessage(n.Value)
	}
	return m
}

func readNode(t testing.TB, dir string, source *newel.Node) []data.Entry {
	t.Helper()
	folders, err := data.OpenFolders(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folders.Close() })
	var m newel.Mistakes
	set := data.ParseSources(source, data.Env{Folders: folders}, &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	var all []data.Entry
	if err := set.Read(context.Background(), 1, func(b data.Batch) error { all = append(all, b...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}
