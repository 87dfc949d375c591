package storetest

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"newel"
)

// At opens the store at a place, a new one if there is none. The place is a
// folder of the test's; a store on a server may take it for a name.
type At func(place string) (newel.Store, error)

// Lasting joins a store that keeps its runs when the process ends. The test
// binary's TestMain must be Main.
func Lasting(t *testing.T, at At) {
	for _, c := range []struct {
		name string
		test func(*testing.T, At)
	}{
		{"a store opened again has everything", reopened},
		{"two at one store see each other's work, and the first writer wins", twoAtOnce},
		{"a new store may be opened by many at once", openedByMany},
		{"a run is held among processes, and a process that dies lets go", heldByProcess},
		{"processes killed while they commit lose nothing acknowledged and count nothing twice", killed},
		{"processes that spend together never pass a budget", paying},
		{"processes killed while they pay lose no reply that was acknowledged, and the money adds up", killedPaying},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, at)
		})
	}
}

func reopened(t *testing.T, at At) {
	place := t.TempDir()
	s := must(at(place))(t)
	planned(t, s, "a", 2, 40)
	fill(t, s, "a", 2, 40)
	must(s.PutOutput(ctx, "a", 3, []byte("answer")))(t)
	must(s.SealRun(ctx, "a", newel.Hash{1}, []byte(`{"run":"a"}`)))(t)
	planned(t, s, "b", 2, 40)
	must(s.Commit(ctx, "b", 1, []newel.Packed{record(1, 2)}))(t)
	type all struct {
		Runs    []*newel.Run
		Chunks  []newel.ChunkInfo
		Records [][]newel.Packed
		Output  string
	}
	read := func(s newel.Store) (a all) {
		for _, id := range []string{"a", "b"} {
			a.Runs = append(a.Runs, must(s.Run(ctx, id))(t))
			a.Chunks = append(a.Chunks, must(s.Chunks(ctx, id))(t)...)
			a.Records = append(a.Records, consistent(t, s, id)...)
		}
		a.Output = string(must(s.OutputOf(ctx, "a", 3))(t))
		return a
	}
	want := read(s)
	ok(t, s.Close())
	s = opened(t, must(at(place))(t))
	same(t, "all", want, read(s))
	same(t, "kept", 1, must(s.Commit(ctx, "b", 1, []newel.Packed{record(2, 2), record(2, 3)}))(t))
	ok(t, s.EraseRun(ctx, "b"))
	data, info := content(0, 0, 40)
	info.Tally = want.Chunks[0].Tally
	chunkIs(t, s, "a", info, data)
}

func twoAtOnce(t *testing.T, at At) {
	const chunks, items, writers = 3, 60, 12
	place := t.TempDir()
	two := [2]newel.Store{opened(t, must(at(place))(t)), opened(t, must(at(place))(t))}
	planned(t, two[0], "a", chunks, items)
	var kept atomic.Int32
	race(writers, func(w int) { kept.Add(int32(scatter(t, two[w%2], "a", w, chunks, items))) })
	same(t, "kept", int32(chunks*items), kept.Load())
	same(t, "records of the other", consistent(t, two[0], "a"), consistent(t, two[1], "a"))

	var won atomic.Int32
	race(writers, func(w int) {
		if ok, err := two[w%2].SealRun(ctx, "a", newel.Hash{byte(w)}, nil); err != nil {
			t.Error(err)
		} else if ok {
			won.Add(1)
		}
	})
	same(t, "won", int32(1), won.Load())
	_, err := two[1].Commit(ctx, "a", 0, nil)
	wantErr(t, newel.ErrSealed, err)

	release := must(two[0].HoldRun(ctx, "a"))(t)
	_, err = two[1].HoldRun(ctx, "a")
	wantErr(t, newel.ErrHeld, err)
	ok(t, release())
	ok(t, must(two[1].HoldRun(ctx, "a"))(t)())
}

func openedByMany(t *testing.T, at At) {
	place := t.TempDir()
	race(8, func(w int) {
		s, err := at(place)
		if err != nil {
			t.Error(err)
			return
		}
		if err := s.CreateRun(ctx, plain(fmt.Sprint("run ", w))); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s := opened(t, must(at(place))(t))
	same(t, "runs", 8, len(must(s.ListRuns(ctx, newel.RunQuery{}))(t)))
}

func heldByProcess(t *testing.T, at At) {
	place := t.TempDir()
	s := opened(t, must(at(place))(t))
	c := startChild(t, "hold", place, "a")
	if line := c.line(t); line != "held" {
		t.Fatalf("the process says %q", line)
	}
	_, err := s.HoldRun(ctx, "a")
	wantErr(t, newel.ErrHeld, err)
	c.kill(t)
	ok(t, must(s.HoldRun(ctx, "a"))(t)())
}

// Sizes of the run in which processes are killed: more than a process gets
// done before it is.
const (
	killedChunks = 16
	killedItems  = 2048
)

func killed(t *testing.T, at At) {
	place := t.TempDir()
	s := must(at(place))(t)
	planned(t, s, "a", killedChunks, killedItems)
	ok(t, s.Close())
	r := rand.New(rand.NewPCG(3, 4))
	var before map[[2]int]string
	deaths := 0
	for round := range 5 {
		acked, died := killTwo(t, place, round, r)
		deaths += died
		s = must(at(place))(t)
		after := recordsOf(t, s, "a")
		for item, data := range before {
			same(t, fmt.Sprint("item ", item), data, after[item])
		}
		for _, item := range acked {
			if _, ok := after[item]; !ok {
				t.Fatalf("round %d: item %v was acknowledged and is not there", round, item)
			}
		}
		before = after
		ok(t, s.Close())
	}
	if deaths == 0 {
		t.Fatal("no process was killed before it was done")
	}
	t.Logf("%d processes killed, %d of %d records by then", deaths, len(before), killedChunks*killedItems)

	s = opened(t, must(at(place))(t))
	kept := scatter(t, s, "a", 99, killedChunks, killedItems)
	same(t, "records in the end", killedChunks*killedItems, kept+len(before))
	if !must(s.SealRun(ctx, "a", newel.Hash{1}, nil))(t) {
		t.Fatal("not sealed")
	}
}

// killTwo runs two processes that commit to one run, kills each at some moment
// and returns the items that they had acknowledged.
func killTwo(t *testing.T, place string, round int, r *rand.Rand) (acked [][2]int, died int) {
	limits := [2]int{1 + r.IntN(300), 1 + r.IntN(300)}
	var mu sync.Mutex
	race(2, func(i int) {
		c := startChild(t, "commit", place, fmt.Sprint(2*round+i))
		items := c.acks(t, limits[i])
		mu.Lock()
		defer mu.Unlock()
		acked = append(acked, items...)
		if c.killed {
			died++
		}
	})
	return acked, died
}

// recordsOf returns every record of a run by chunk and offset.
func recordsOf(t *testing.T, s newel.Store, id string) map[[2]int]string {
	t.Helper()
	all := map[[2]int]string{}
	for n, chunk := range consistent(t, s, id) {
		for _, got := range chunk {
			writerOf(t, got)
			all[[2]int{n, got.Offset}] = string(got.Data)
		}
	}
	return all
}

// child is a process of this test binary.
type child struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	killed bool // before it was done
}

func startChild(t testing.TB, args ...string) *child {
	exe, err := os.Executable()
	if err != nil {
		t.Error(err)
		return nil
	}
	cmd := exec.Command(exe, append([]string{childWord}, args...)...)
	cmd.Stderr = os.Stderr
	_, errIn := cmd.StdinPipe() // closed when this process ends, and the child with it
	out, errOut := cmd.StdoutPipe()
	if errIn != nil || errOut != nil {
		t.Error(errIn, errOut)
		return nil
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return nil
	}
	return &child{cmd: cmd, out: bufio.NewReader(out)}
}

func (c *child) line(t testing.TB) string {
	line, err := c.out.ReadString('\n')
	if err != nil && err != io.EOF {
		t.Error(err)
	}
	return strings.TrimSuffix(line, "\n")
}

// kill ends the process as kill -9 does.
func (c *child) kill(t testing.TB) {
	if err := c.cmd.Process.Kill(); err != nil {
		t.Log(err)
	}
	c.killed = c.cmd.Wait() != nil
}

// acks reads what the process acknowledges, kills it after so many and reads
// on to the last that it said.
func (c *child) acks(t testing.TB, limit int) (items [][2]int) {
	if c == nil {
		return nil
	}
	for n := 0; ; n++ {
		if n == limit {
			if err := c.cmd.Process.Kill(); err != nil {
				t.Log(err)
			}
		}
		line, err := c.out.ReadString('\n')
		if err != nil { // a line cut short was never said
			c.killed = c.cmd.Wait() != nil
			return items
		}
		var item [2]int
		if _, err := fmt.Sscan(line, &item[0], &item[1]); err != nil {
			t.Errorf("the process says %q", line)
		}
		items = append(items, item)
	}
}
