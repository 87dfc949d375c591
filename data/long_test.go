package data

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// endless gives a byte over and over, without the text lying anywhere.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// long is head, n bytes of c, tail.
func long(head string, c byte, n int64, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(endless(c), n), strings.NewReader(tail))
}

// collect runs a reader and returns its records, shortened, and mistakes.
func collect(t testing.TB, name string, r io.Reader) (records []string, mistakes string, largest int64) {
	t.Helper()
	format, packing, ok := formatOf(name)
	if !ok {
		t.Fatal(name)
	}
	src := &sourceRun{source: &source{mapping: newMapping()}}
	s := &sink{ctx: context.Background(), src: src, file: &fileRun{dataFile: &dataFile{shown: name, format: format, packing: packing}}}
	var wrong []string
	s.hand = func(b *block) error {
		largest = max(largest, b.size)
		for _, r := range b.records {
			records = append(records, string(r.raw[:min(len(r.raw), 40)]))
		}
		for _, one := range b.wrong.List() {
			wrong = append(wrong, one.String())
		}
		return nil
	}
	if err := format.read(r, s); err != nil && err != errStop {
		t.Fatal(err)
	}
	if err := s.flush(); err != nil && err != errStop {
		t.Fatal(err)
	}
	return records, strings.Join(wrong, "\n"), largest
}

func TestRecordsThatAreTooLongTakeBoundedMemory(t *testing.T) {
	t.Parallel()
	const much = 200 << 20
	for _, test := range []struct {
		name     string
		file     string
		in       io.Reader
		records  []string
		mistakes string
	}{
		{"one line among others", "a.jsonl", long("{\"id\":1}\n\"", 'x', much, "\"\n{\"id\":2}\n"), []string{`{"id":1}`, `{"id":2}`},
			"a.jsonl:2:1: the line is longer than 64 MiB: write one record a line, or name the file .json when it holds one list"},
		{"one line and nothing else", "a.jsonl", long("", 'x', much, ""), nil,
			"a.jsonl:1:1: the line is longer than 64 MiB: write one record a line, or name the file .json when it holds one list"},
		{"a line that is packed ends the file", "a.jsonl.gz", long("{}\n", ' ', much, "\n{}\n"), []string{"{}"},
			"a.jsonl.gz:2:1: the line is longer than 64 MiB: write one record a line, or name the file .json when it holds one list"},
		{"an element of a list", "a.json", long("[{},\n \"", 'x', much, "\"]"), []string{"{}"}, "a.json:2:2: the record is longer than 64 MiB"},
		{"white space in a list is no record", "a.json", long("[{},", ' ', much, "{}]"), []string{"{}", "{}"}, ""},
		{"a quote of a table that is not closed", "a.csv", long("id\n1\n\"", 'x', much, "\n2\n"), []string{`{"id":"1"}`},
			"a.csv:3:1: the row that begins here is longer than 64 MiB: a quote may not be closed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			records, mistakes, largest := collect(t, test.file, test.in)
			if diff := cmp.Diff(test.records, records); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.mistakes, mistakes); diff != "" {
				t.Error(diff)
			}
			if largest > maxRecord+blockBytes {
				t.Errorf("a block of %d bytes", largest)
			}
		})
	}
}

func TestARecordOfTheLargestSizeIsRead(t *testing.T) {
	t.Parallel()
	for file, in := range map[string]io.Reader{
		"a.jsonl": long("{}\n\"", 'x', maxRecord-2, "\"\n{}"),
		"a.json":  long("[{},\"", 'x', maxRecord-2, "\",{}]"),
	} {
		records, mistakes, _ := collect(t, file, in)
		if len(records) != 3 || mistakes != "" {
			t.Errorf("%s: %d records, %s", file, len(records), mistakes)
		}
	}
}

// small gives a reader's bytes in pieces of odd sizes.
type small struct {
	r io.Reader
	n int
}

func (s *small) Read(p []byte) (int, error) {
	s.n = s.n%7 + 1
	return s.r.Read(p[:min(len(p), s.n)])
}

func TestHowTheBytesArriveChangesNothing(t *testing.T) {
	t.Parallel()
	for file, text := range map[string]string{
		"a.jsonl": "{\"id\":1}\r\n\n{\"id\":2,\"t\":\"é\"}\nbroken\n{}",
		"a.json":  "[{\"a\":\"\\\\\\\"]},\"},\n\n 1, [2,\"x\"],\t{} ]\n",
		"a.csv":   "id,t\n1,\"a\n\"\"b\"\n\n2,é\nbad\n",
	} {
		whole, mistakes, _ := collect(t, file, strings.NewReader(text))
		parts, again, _ := collect(t, file, &small{r: strings.NewReader(text)})
		if diff := cmp.Diff(whole, parts); diff != "" || mistakes != again {
			t.Errorf("%s: %s\n%s\n%s", file, diff, mistakes, again)
		}
		if len(whole) < 2 {
			t.Errorf("%s: %q", file, whole)
		}
	}
}

// fuzzFile reads text as a file of a format, whole and in pieces: no crash, the
// same records, and never more record text than a table's quoting can make of
// the input.
func fuzzFile(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, mistakes, _ := collect(t, name, bytes.NewReader(text))
		parts, again, _ := collect(t, name, &small{r: bytes.NewReader(text)})
		if diff := cmp.Diff(whole, parts); diff != "" || mistakes != again {
			t.Errorf("%s\n%s\n%s", diff, mistakes, again)
		}
		d := newDecoder(context.Background(), nil)
		table := &table{mapping: newMapping(), byName: map[string]*column{}}
		for _, r := range whole {
			d.cells = d.cells[:0]
			if err := d.object([]byte(r), place{}, table); err != nil {
				_, _, msg := explain(&record{raw: []byte(r), line: 1, col: 1}, err)
				if msg == "" {
					t.Errorf("no message for %q", r)
				}
			}
		}
	})
}

func FuzzJSONL(f *testing.F) {
	fuzzFile(f, "a.jsonl", "{\"id\":1}\n{\"id\":2}", "\n\r\n{}", "NaN", "\xff", "{\"a\":{\"b\":[1,2,{}]}}", "[")
}

func FuzzJSONArray(f *testing.F) {
	fuzzFile(f, "a.json", `[{"id":1},{"id":2}]`, `[]`, `[{"a":"\\\""},1]`, `[1,,2]`, `[{]`, `x`, `[{"a":"]"}`, "[\n]\n")
}

func FuzzCSV(f *testing.F) {
	fuzzFile(f, "a.csv", "id,x\n1,2\n", "id\n\"a\nb\"\n", "a,a\n", "id,x\n1\n", "\"", "id\n\xff\n", ",\n1,2\n")
}
