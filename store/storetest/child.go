package storetest

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"

	"newel"
)

// childWord as the first argument makes a test binary one of the processes
// that Lasting starts.
const childWord = "storetest-child"

// Main is the TestMain of a store that joins Lasting.
func Main(m *testing.M, at At) {
	if len(os.Args) != 5 || os.Args[1] != childWord {
		os.Exit(m.Run())
	}
	if err := runChild(at, os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

func runChild(at At, do, place, arg string) error {
	s, err := at(place)
	if err != nil {
		return err
	}
	if do == "hold" {
		return holdUntilKilled(s, arg)
	}
	seed, err := strconv.Atoi(arg)
	if err != nil {
		return err
	}
	switch do {
	case "spend":
		return spendAll(s, seed)
	case "pay":
		return payUntilKilled(s, seed)
	}
	return commitAll(s, seed)
}

// holdUntilKilled holds a run until its input ends, which is when the parent
// does.
func holdUntilKilled(s newel.Store, id string) error {
	if _, err := s.HoldRun(ctx, id); err != nil {
		return err
	}
	fmt.Println("held")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// commitAll commits every item of the run from several goroutines and says
// which have been acknowledged, each on a line as soon as it is.
func commitAll(s newel.Store, seed int) error {
	const writers = 8
	var mu sync.Mutex
	var failed error
	race(writers, func(w int) {
		err := commitSome(s, seed*writers+w, &mu)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
		}
	})
	return failed
}

func commitSome(s newel.Store, writer int, mu *sync.Mutex) error {
	r := rand.New(rand.NewPCG(uint64(writer), 5))
	for range killedItems {
		n, first, size := r.IntN(killedChunks), r.IntN(killedItems-8), 1+r.IntN(8)
		var batch []newel.Packed
		var says []byte
		for i := first; i < first+size; i++ {
			batch = append(batch, record(writer, i))
			says = fmt.Appendf(says, "%d %d\n", n, i)
		}
		if _, err := s.Commit(ctx, "a", n, batch); err != nil {
			return err
		}
		mu.Lock()
		_, err := os.Stdout.Write(says)
		mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}
