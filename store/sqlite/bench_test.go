package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"newel/store/storetest"
)

func BenchmarkStore(b *testing.B) { storetest.Bench(b, fresh) }

// BenchmarkOpen opens a new store, reads and closes it.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s := at(b, dir)
		if _, err := s.Run(ctx, "a"); err == nil {
			b.Fatal("found a run in a new store")
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "runs")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSize says how much of a suite's bytes the file of a finished run
// takes.
func BenchmarkSize(b *testing.B) {
	suite := storetest.NewSuite(10_000)
	for b.Loop() {
		dir := b.TempDir()
		s := at(b, dir)
		suite.Store(b, s, "a")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(dir, "runs"))
		if err != nil || len(entries) != 1 {
			b.Fatalf("%v, %v; want the database alone", entries, err)
		}
		info, err := entries[0].Info()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/float64(suite.Bytes), "size/input")
	}
}
