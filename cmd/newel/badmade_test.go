package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// minimal is a suite that would run, over cases.jsonl.
const minimal = "newel: v1\nname: refunds\ndata: {file: cases.jsonl}\nrubrics: [{name: right, floor: [json]}]\n"

// madeInputs are broken inputs that a text file in a repository cannot be, each
// made in, or added to, the copy of its folder.
func madeInputs() map[string]func(*testing.T, *badInput) {
	suite := func(text string) func(*testing.T, *badInput) {
		return func(t *testing.T, b *badInput) { b.write(t, "suite.yaml", text) }
	}
	cases := func(name, text string) func(*testing.T, *badInput) {
		return func(t *testing.T, b *badInput) {
			b.write(t, "suite.yaml", strings.Replace(minimal, "cases.jsonl", name, 1))
			b.write(t, name, text)
		}
	}
	return map[string]func(*testing.T, *badInput){
		"binary-data":    writeBinaries,
		"invalid-utf8":   writeLatin1,
		"bad-packing":    writePacked,
		"symlinks-out":   linkOut,
		"flag-data-root": func(_ *testing.T, b *badInput) { b.args[1] = filepath.Join(b.dir, b.args[1]) },

		"made-empty-suite":     suite(""),
		"made-blank-suite":     suite(" \n\r\n# nothing yet\n"),
		"made-binary-suite":    suite("newel: v1\nname: \x00\x01\x02"),
		"made-utf16-suite":     suite("\xff\xfen\x00e\x00w\x00e\x00l\x00"),
		"made-latin1-suite":    suite("newel: v1\nname: \"caf\xe9\"\n"),
		"made-missing-suite":   func(_ *testing.T, b *badInput) {},
		"made-suite-is-folder": func(t *testing.T, b *badInput) { ok(t, os.Mkdir(b.path, 0o755)) },
		"made-alias-bomb":      suite(aliasBomb()),
		"made-self-alias":      suite("newel: v1\nname: refunds\nx-loop: &loop [*loop]\n"),
		"made-deep-nesting":    suite("newel: v1\nname: refunds\nx-deep: " + strings.Repeat("[", 1<<20)),
		"made-deep-but-closed": suite("newel: v1\nname: refunds\nx-deep: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000)),
		"made-long-key":        suite("newel: v1\n? " + strings.Repeat("k", 1<<20) + "\n: 1\n"),
		"made-nested-record":   cases("cases.jsonl", `{"id": "a", "x": `+strings.Repeat("[", 1<<20)+"\n"),
		"made-data-is-a-folder": func(t *testing.T, b *badInput) {
			b.write(t, "suite.yaml", minimal)
			ok(t, os.Mkdir(filepath.Join(b.dir, "cases.jsonl"), 0o755))
		},

		"made-suite-of-a-gigabyte": func(t *testing.T, b *badInput) { b.write(t, "suite.yaml", "newel: v1\n"); b.grow(t, "suite.yaml") },
		"made-line-of-a-gigabyte": func(t *testing.T, b *badInput) {
			cases("cases.jsonl", "{\"id\": \"a\", \"output\": \"x\"}\n{\"id\": \"b\", \"output\": \""+strings.Repeat("x", 1000))(t, b)
			b.grow(t, "cases.jsonl")
		},
		"made-gzip-bomb": func(t *testing.T, b *badInput) {
			cases("cases.jsonl.gz", zipped(t, strings.Repeat("x", 100<<20)))(t, b)
		},
	}
}

func (b *badInput) write(t *testing.T, name, text string) {
	t.Helper()
	ok(t, os.MkdirAll(b.dir, 0o755))
	ok(t, os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644))
}

// grow makes a file a gigabyte long without taking up the room.
func (b *badInput) grow(t *testing.T, name string) {
	t.Helper()
	ok(t, os.Truncate(filepath.Join(b.dir, name), 1<<30))
}

// aliasBomb is a few lines that stand for 9⁹ values.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("newel: v1\nname: refunds\nx-a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for c := 'b'; c < 'j'; c++ {
		fmt.Fprintf(&b, "x-%c: &%c [%s]\n", c, c, strings.Repeat("*"+string(c-1)+", ", 9))
	}
	return b.String()
}

func writeBinaries(t *testing.T, b *badInput) {
	b.write(t, "cases.jsonl", "{\"id\": \"a\"}\n\x00\x01\x02\xff")
	b.write(t, "high.jsonl", "\x80\x81\x82\n\xc3\x28\n")
	b.write(t, "utf16.jsonl", "\xff\xfe{\x00\"\x00i\x00d\x00")
	b.write(t, "book.csv", "PK\x03\x04\x14\x00")
}

func writeLatin1(t *testing.T, b *badInput) {
	b.write(t, "cases.jsonl", "{\"id\": \"a\", \"output\": \"x\"}\n{\"id\": \"b\", \"output\": \"caf\xe9\"}\n")
	b.write(t, "cases.csv", "id,output\nc,caf\xe9\nd,x\n")
}

func writePacked(t *testing.T, b *badInput) {
	var records strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&records, "{\"id\": \"c%d\", \"output\": \"%d\"}\n", i, i*i*i%7919)
	}
	whole := zipped(t, records.String())
	b.write(t, "torn.jsonl.gz", whole[:len(whole)/2])
	b.write(t, "packed.jsonl", whole)
	z, err := zstd.NewWriter(nil)
	ok(t, err)
	packed := z.EncodeAll([]byte(records.String()), nil)
	ok(t, z.Close())
	b.write(t, "torn.jsonl.zst", string(packed[:len(packed)/2]))
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	ok(t, err)
	ok(t, w.Close())
	return out.String()
}

// linkOut makes links that lead out of the suite's folder, and one to nowhere.
func linkOut(t *testing.T, b *badInput) {
	outside := filepath.Join(filepath.Dir(b.dir), "outside")
	ok(t, os.Mkdir(outside, 0o755))
	for name, text := range map[string]string{"cases.jsonl": `{"id": "a", "output": "x"}`, "refund.schema.json": "{}", "words.txt": "damn"} {
		ok(t, os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644))
	}
	ok(t, os.Symlink("../outside/cases.jsonl", filepath.Join(b.dir, "cases.jsonl")))
	ok(t, os.Symlink("../outside/refund.schema.json", filepath.Join(b.dir, "refund.schema.json")))
	ok(t, os.Symlink("../outside", filepath.Join(b.dir, "dir")))
	ok(t, os.Symlink("nowhere.jsonl", filepath.Join(b.dir, "dangling.jsonl")))
}
