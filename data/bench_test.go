package data_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"newel/data"
)

// benchRecords is the shape of the project's benchmark: an output of some 400
// characters of JSON, the one expected, and two columns for checks.
func benchRecords(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		out := fmt.Sprintf(`{"id":"case-%06d","label":"billing","confidence":0.847,"summary":"%s"}`, i, strings.Repeat("ledger ticket shipped order ", 11))
		quoted, _ := jsontext.AppendQuote(nil, out)
		fmt.Fprintf(&b, `{"id":"case-%06d","output":%s,"expected":%s,"must":"ref%04d","pattern":"\"id\":\"case-[0-9]{6}\""}`+"\n", i, quoted, quoted, i%10000)
	}
	return b.Bytes()
}

// bareTime is the best of ten walks of jsontext over the text.
func bareTime(text []byte) time.Duration {
	best := time.Hour
	for range 10 {
		start := time.Now()
		dec := jsontext.NewDecoder(bytes.NewBuffer(text))
		for dec.SkipValue() == nil {
		}
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkRead reads 10,000 records of 9 MB with one worker; its ratio is to
// what jsontext alone takes to walk over the same bytes.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	text := benchRecords(10_000)
	if err := os.WriteFile(filepath.Join(dir, "cases.jsonl"), text, 0o600); err != nil {
		b.Fatal(err)
	}
	bare := bareTime(text)
	readAll(b, dir, "cases.jsonl", len(text))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(bare.Nanoseconds()), "x-bare")
}

// BenchmarkReadTable reads the same records from a table.
func BenchmarkReadTable(b *testing.B) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	columns := []string{"id", "output", "expected", "must", "pattern"}
	rows := [][]string{columns}
	for line := range strings.Lines(string(benchRecords(10_000))) {
		var record map[string]string
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			b.Fatal(err)
		}
		var row []string
		for _, name := range columns {
			row = append(row, record[name])
		}
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cases.csv"), text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	readAll(b, dir, "cases.csv", text.Len())
}

// readAll reads the 10,000 records of a file with one worker, again and again.
func readAll(b *testing.B, dir, file string, bytes int) {
	set := mustParse(b, dir, map[string]any{"file": file, "map": map[string]any{"id": "id", "output": "output", "reference": "expected"}})
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = 0
		err := set.Read(context.Background(), 1, func(batch data.Batch) error { n += len(batch); return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	if n != 10_000 {
		b.Fatalf("read %d cases", n)
	}
}
