package data_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"newel/data"
)

func readSet(t testing.TB, set *data.Set) []data.Entry {
	t.Helper()
	var all []data.Entry
	if err := set.Read(context.Background(), 2, func(b data.Batch) error { all = append(all, b...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestReadingEndsWhenNobodyWantsMore(t *testing.T) {
	t.Parallel()
	dir := write(t, m2("cases.jsonl", asJSONL(rows(20_000))))
	set := mustParse(t, dir, m{"file": "cases.jsonl"})
	enough := errors.New("enough")
	for _, workers := range []int{1, 8} {
		calls := 0
		err := set.Read(context.Background(), workers, func(data.Batch) error { calls++; return enough })
		if !errors.Is(err, enough) || calls != 1 {
			t.Errorf("%v after %d calls", err, calls)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		err = set.Read(ctx, workers, func(data.Batch) error { cancel(enough); return nil })
		if !errors.Is(err, enough) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func TestAPanicOfTheCallerLeavesNoGoroutines(t *testing.T) {
	t.Parallel()
	set := mustParse(t, write(t, m2("cases.jsonl", asJSONL(rows(20_000)))), m{"file": "cases.jsonl"})
	defer func() {
		if recover() == nil {
			t.Error("the panic was swallowed")
		}
	}()
	// Read waits for its goroutines before the panic goes on, so that closing
	// the folders afterwards finds nobody reading.
	_ = set.Read(context.Background(), 4, func(data.Batch) error { panic("caller") })
}

func TestASetCanBeReadTwice(t *testing.T) {
	t.Parallel()
	set := mustParse(t, write(t, m2("cases.jsonl", asJSONL(rows(500)))), m{"file": "cases.jsonl", "limit": 300.0})
	if a, b := readSet(t, set), readSet(t, set); len(a) != 300 || len(b) != 300 {
		t.Errorf("%d and %d cases", len(a), len(b))
	}
}

// TestMemoryDoesNotGrowWithTheNumberOfCases runs alone: it looks at the heap.
func TestMemoryDoesNotGrowWithTheNumberOfCases(t *testing.T) {
	const cases = 200_000 // some 90 MB of text
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "cases.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	pad := strings.Repeat("some text ", 40)
	for i := range cases {
		fmt.Fprintf(w, "{\"id\":%d,\"output\":\"%s\",\"x\":%d}\n", i, pad, i)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	set := mustParse(t, dir, m{"file": "cases.jsonl.gz"})
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	n, before := 0, heap()
	var most uint64
	err = set.Read(context.Background(), 2, func(b data.Batch) error {
		n += len(b)
		if n%(cases/10) < len(b) {
			most = max(most, heap())
		}
		return nil
	})
	if err != nil || n != cases {
		t.Fatalf("%d cases, %v", n, err)
	}
	if grown := int64(most) - int64(before); grown > 16<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
}

// TestTextsOfOtherFilesCountAsMemory runs alone: it looks at the heap.
func TestTextsOfOtherFilesCountAsMemory(t *testing.T) {
	const cases = 600 // each with a page of 1 MiB
	var b strings.Builder
	for i := range cases {
		fmt.Fprintf(&b, "{\"id\":%d,\"context\":{\"file\":\"page.txt\"}}\n", i)
	}
	dir := write(t, m2("cases.jsonl", b.String(), "page.txt", strings.Repeat("page ", 200<<10)))
	set := mustParse(t, dir, m{"file": "cases.jsonl"})
	n := 0
	var most uint64
	err := set.Read(context.Background(), 2, func(b data.Batch) error {
		n += len(b)
		if n%50 < len(b) {
			var s runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&s)
			most = max(most, s.HeapAlloc)
		}
		return nil
	})
	if err != nil || n != cases {
		t.Fatalf("%d cases, %v", n, err)
	}
	if most > 250<<20 {
		t.Errorf("the heap reached %d MiB", most>>20)
	}
}
