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

// BenchmarkJudged reports the processor time that the store takes for a call to
// a judge, of 10,000 with 1,000 in flight: looking up, reserving, settling.
func BenchmarkJudged(b *testing.B) {
	const calls = 10_000
	suite := storetest.NewJudged(calls)
	for _, c := range []struct {
		name  string
		batch int
		wait  time.Duration
	}{
		{"replies at once, batches of 256", 256, 0},
		{"replies at once, batches of 16", 16, 0},
		{"replies after 500 ms, batches of 16", 16, 500 * time.Millisecond},
	} {
		b.Run(c.name, func(b *testing.B) {
			start := used()
			for b.Loop() {
				s := fresh(b)
				suite.Pay(b, s, "a", c.batch, 1000, c.wait)
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((used()-start).Microseconds())/float64(b.N)/calls, "cpu-µs/call")
		})
	}
}

// BenchmarkReplies reports the processor time of looking up one of 256 keys:
// of a run's own replies, of another run's, and of none.
func BenchmarkReplies(b *testing.B) {
	const calls = 10_000
	suite := storetest.NewJudged(calls)
	s := fresh(b)
	defer func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	}()
	suite.Pay(b, s, "paid", 256, 1000, 0)
	if err := s.CreateRun(ctx, &newel.Run{ID: "next"}); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name, run string
		want      int
		window    newel.Window
	}{
		{"own", "paid", calls, newel.Window{}},
		{"another run's", "next", calls, newel.Window{To: time.Now()}},
		{"none", "next", 0, newel.Window{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			start := used()
			for b.Loop() {
				suite.LookUp(b, s, c.run, 256, c.want, c.window)
			}
			b.ReportMetric(float64((used()-start).Nanoseconds())/1000/float64(b.N)/calls, "cpu-µs/key")
		})
	}
}
