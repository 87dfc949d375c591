package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheTableSetsSizesAndProgramsSideBySide(t *testing.T) {
	t.Parallel()
	rows := []row{
		{
			cases: 100, newel: usage{time.Second, 2 * time.Second, 50e6}, bare: usage{cpu: time.Second}, ratio: 2,
			peer: usage{10 * time.Second, 40 * time.Second, 500e6}, input: 1000, store: 250,
		},
		{cases: 1000, newel: usage{9 * time.Second, 18 * time.Second, 0}, bare: usage{cpu: 10 * time.Second}, ratio: 1.8, input: 10000, store: 2400},
	}
	want := `  cases  newel wall  newel CPU  newel peak  store / input  bare CPU  newel / bare CPU  CPU a case, to the row above
    100      1.00 s     2.00 s     50.0 MB          0.250    1.00 s              2.00                             –
   1000      9.00 s    18.00 s     unknown          0.240   10.00 s              1.80                        × 0.90

other on the same 100 cases, once: wall 10.00 s, CPU 40.00 s, peak 500.0 MB: × 10, × 20 and × 10 of newel's
`
	var out strings.Builder
	if err := table(&out, rows, "other"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJudgedRunsStandBesideTheIdeal(t *testing.T) {
	t.Parallel()
	rows := []judgedRow{
		{judged: judged{cases: 1000, inFlight: 50, latency: 100 * time.Millisecond}, newel: usage{2200 * time.Millisecond, 500 * time.Millisecond, 90e6},
			bare: usage{2100 * time.Millisecond, 100 * time.Millisecond, 0}, ratio: 1.05, requests: 3000},
		{judged: judged{cases: 5000, inFlight: 1000, again: true}, newel: usage{wall: time.Second, cpu: 500 * time.Millisecond}, bare: usage{wall: 500 * time.Millisecond}, ratio: 2},
	}
	want := `  cases  latency  at a time   ideal  bare wall  newel wall  / ideal  / bare  newel CPU   a case  bare CPU  newel peak  requests
   1000    100ms         50  2.00 s     2.10 s      2.20 s    1.100    1.05     0.50 s  0.50 ms    0.10 s     90.0 MB      3000
   5000    again       1000       –     0.50 s      1.00 s        –    2.00     0.50 s  0.10 ms    0.00 s     unknown         0
ideal: cases × latency ÷ at a time. bare: the same posts by Go's own client; of the run again, whose replies are in the journal, six checks alone.
requests: of 3 runs.

An upstream that lets in so many calls at a time, one level after another, and refuses others; newel is not told
  at a time  measured after  for    used  refused
         20              4s   5s  91.2 %    0.4 %
`
	var out strings.Builder
	if err := judgedTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	if err := capacityTable(&out, []level{{room: 20, settles: 4 * time.Second, measured: 5 * time.Second, used: 0.912, refused: 0.004}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestLevelsAreWrittenAsTheUpstreamTakesThem(t *testing.T) {
	t.Parallel()
	all := []level{{room: 20, settles: time.Second, measured: 2 * time.Second}, {room: 5, measured: time.Minute}}
	if got := capacityOf(all); got != "20:3s,5:1m0s" {
		t.Errorf("got %s", got)
	}
}

func TestTheMedianOfTwoIsTheSmaller(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 1}, {[]float64{9, 1, 5}, 5}} {
		if got := median(c.list); got != c.want {
			t.Errorf("median of %v: want %v, got %v", c.list, c.want, got)
		}
	}
}
