package data_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatternsFindFilesInByteOrder(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{"a/de/x.jsonl", "a/en/x.jsonl", "a/en/y.jsonl", "b.jsonl", "B.jsonl", "c-1.jsonl", "c-10.jsonl", "c-2.jsonl", "c-.jsonl", "odd[1].jsonl", "deep/er/still/z.jsonl"} {
		files[name] = `{"id":"` + name + `"}`
	}
	dir := write(t, files)
	for _, test := range []struct {
		pattern, expr string
		want          []string
	}{
		{"*.jsonl", "", []string{"B.jsonl", "b.jsonl", "c-.jsonl", "c-1.jsonl", "c-10.jsonl", "c-2.jsonl", "odd[1].jsonl"}},
		{"a/{lang}/x.jsonl", "path.lang", []string{"a/de/x.jsonl de", "a/en/x.jsonl en"}},
		{"a/{lang}/{part}.jsonl", "path.lang + path.part", []string{"a/de/x.jsonl dex", "a/en/x.jsonl enx", "a/en/y.jsonl eny"}},
		{"c-{n}.jsonl", "path.n", []string{"c-1.jsonl 1", "c-10.jsonl 10", "c-2.jsonl 2"}},
		{"{b,c-1}.jsonl", "", []string{"b.jsonl", "c-1.jsonl"}},
		{"**/z.jsonl", "", []string{"deep/er/still/z.jsonl"}},
		{"{top}/**/z.jsonl", "path.top", []string{"deep/er/still/z.jsonl deep"}},
		{"c-?.jsonl", "", []string{"c-1.jsonl", "c-2.jsonl"}},
		{"c-[2-9].jsonl", "", []string{"c-2.jsonl"}},
		{"[!bB]-1.jsonl", "", []string{"c-1.jsonl"}},
		{"odd[1].jsonl", "", []string{"odd[1].jsonl"}},
		{"./a/../b.jsonl", "", []string{"b.jsonl"}},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			t.Parallel()
			source := m{"file": test.pattern}
			if test.expr != "" {
				source["map"] = m{"vars.got": m{"expr": test.expr}}
			}
			entries, wrong := read(t, dir, source, 1)
			if wrong != "" {
				t.Fatal(wrong)
			}
			var got []string
			for _, e := range entries {
				one := e.Case.ID
				for _, v := range e.Case.Vars {
					one += " " + strings.Trim(string(v.Value), `"`)
				}
				got = append(got, one)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Skip(err)
	}
}

func TestLinksMayNotLeaveTheFolders(t *testing.T) {
	t.Parallel()
	outside := write(t, m2("secret.jsonl", `{"id":"secret"}`, "secret.txt", "secret"))
	dir := write(t, m2("cases.jsonl", `{"id":"a","input":{"file":"link.txt"}}`, "good.jsonl", `{"id":"good"}`))
	link(t, filepath.Join(outside, "secret.jsonl"), filepath.Join(dir, "link.jsonl"))
	link(t, filepath.Join(outside, "secret.txt"), filepath.Join(dir, "link.txt"))
	link(t, outside, filepath.Join(dir, "folder"))
	link(t, "good.jsonl", filepath.Join(dir, "inside.jsonl"))
	for _, test := range []struct{ file, want string }{
		{"link.jsonl", "suite.yaml:4: file: link.jsonl is a link that leaves the suite's folder: copy the file into it, or name its folder with --data-root"},
		{"folder/secret.jsonl", "suite.yaml:4: file: folder/secret.jsonl is a link that leaves the suite's folder: copy the file into it, or name its folder with --data-root"},
		{"folder/*.jsonl", "suite.yaml:4: file: no file matches folder/*.jsonl; there is no folder folder"},
		{"lin?.jsonl", "link.jsonl: is a link that leaves the suite's folder: copy the file into it, or name its folder with --data-root"},
		{"cases.jsonl", "cases.jsonl:1:19: input: file: link.txt: is a link that leaves the suite's folder: copy the file into it, or name its folder with --data-root"},
		{"inside.jsonl", ""},
	} {
		entries, wrong := read(t, dir, m{"file": test.file}, 1)
		if wrong != test.want {
			t.Errorf("%s: %s\nwant %s", test.file, wrong, test.want)
		}
		for _, e := range entries {
			if e.Case.ID == "secret" {
				t.Errorf("%s was read", test.file)
			}
		}
	}
}

func TestDataRootsAddFolders(t *testing.T) {
	t.Parallel()
	root := write(t, m2("sets/cases.jsonl", `{"id":"a","input":{"file":"q.txt"},"media":"x.png"}`, "sets/q.txt", "there"))
	dir := write(t, m2("own.jsonl", `{"id":"own"}`))
	link(t, filepath.Join(root, "sets"), filepath.Join(dir, "linked"))
	relative, err := filepath.Rel(dir, filepath.Join(root, "sets/cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"sets/cases.jsonl", "sets/*.jsonl", filepath.Join(root, "sets/cases.jsonl"), filepath.Join(root, "*/cases.jsonl"), relative, "linked/cases.jsonl"} {
		set := mustParse(t, dir, m{"file": file}, root)
		entries := readSet(t, set)
		if len(entries) != 1 || string(entries[0].Case.Input) != `"there"` {
			t.Errorf("%s: %d cases", file, len(entries))
		}
	}
	if _, wrong := parse(t, dir, m{"file": "sets/cases.jsonl"}); wrong.Len() == 0 {
		t.Error("the root was read without being named")
	}
}
