package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"newel"
	"newel/store/storetest"
)

// BenchmarkCPU reports the processor time of a suite of 10,000 items, from the
// opening of a new store to its closing.
func BenchmarkCPU(b *testing.B) {
	suite := storetest.NewSuite(10_000)
	start := used()
	for b.Loop() {
		s := fresh(b)
		suite.Store(b, s, "a")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((used()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkMillion stores a million items, and reports the processor time, by
// how much the process grew at most, and the longest write-ahead log.
func BenchmarkMillion(b *testing.B) {
	suite := storetest.NewSuite(10_000)
	for b.Loop() {
		dir := b.TempDir()
		start, before := used(), highWater(b)
		s := at(b, dir)
		var longest int64
		suite.Repeat(b, s, "a", 100, func() {
			if info, err := os.Stat(filepath.Join(dir, "runs", "newel.db-wal")); err == nil {
				longest = max(longest, info.Size())
			}
		})
		sealing := used()
		if won, err := s.SealRun(ctx, "a", newel.Hash{1}, nil); err != nil || !won {
			b.Fatal(won, err)
		}
		b.ReportMetric((used() - sealing).Seconds(), "seal-cpu-s")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric((used() - start).Seconds(), "cpu-s")
		b.ReportMetric(float64(highWater(b)-before)/1024, "MiB-grown")
		b.ReportMetric(float64(longest)/(1<<20), "MiB-log")
	}
}

func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// highWater returns the largest resident size so far, in KiB.
func highWater(b *testing.B) (kib int) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Fatal(err)
	}
	return kib
}
