package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"newel"
)

// desk is a target over HTTP that counts who asks what, lets requests wait and
// fails as it is told.
type desk struct {
	url  string
	pass chan struct{} // a value lets one request through, closing it all

	mu    sync.Mutex
	asked map[string]int // by case and tone
	held  map[string]int // of those, waiting
	fails func(key string) bool
}

// newDesk starts a desk whose requests wait.
func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{pass: make(chan struct{}), asked: map[string]int{}, held: map[string]int{}, fails: func(string) bool { return false }}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Case, Tone string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	key := q.Case + " " + q.Tone
	d.mu.Lock()
	d.asked[key]++
	d.held[key]++
	fails, pass := d.fails(key), d.pass
	d.mu.Unlock()
	select {
	case <-pass:
	case <-r.Context().Done():
	}
	d.mu.Lock()
	d.held[key]--
	d.mu.Unlock()
	if fails {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, `{"reply": "a %s answer to %s"}`, q.Tone, q.Case)
}

// open lets all requests through from now on.
func (d *desk) open() { close(d.pass) }

// again forgets what was asked, and lets requests wait, or not.
func (d *desk) again(open bool, fails func(string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked, d.held, d.pass, d.fails = map[string]int{}, map[string]int{}, make(chan struct{}), fails
	if open {
		close(d.pass)
	}
}

func never(string) bool { return false }

// count returns what was asked so far, and what of it waits.
func (d *desk) count() (asked, held map[string]int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.asked), maps.Clone(d.held)
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// waits waits until n requests wait.
func (d *desk) waits(t testing.TB, n int, p *process) {
	t.Helper()
	await(t, fmt.Sprintf("%d requests to wait", n), func() bool { _, held := d.count(); return sum(held) == n }, p.done)
}

// let lets n requests through.
func (d *desk) let(n int) {
	for range n {
		d.pass <- struct{}{}
	}
}

// once checks that every case was asked in each tone as often as it has
// trials, and those in extra that much more at most.
func (d *desk) once(t testing.TB, extra map[string]int) {
	t.Helper()
	asked, _ := d.count()
	if len(asked) != deskCases*2 {
		t.Errorf("%d questions were asked, want %d", len(asked), deskCases*2)
	}
	for key, n := range asked {
		if n < deskTrials || n > deskTrials+extra[key] {
			t.Errorf("%q was asked %d times, want %d and at most %d more", key, n, deskTrials, extra[key])
		}
	}
}

const (
	deskCases  = 20
	deskTrials = 2
	deskItems  = deskCases * 2 * deskTrials
	deskAtOnce = 4
)

// suite writes the suite that asks the desk into dir.
func (d *desk) suite(t testing.TB, dir, more string) string {
	t.Helper()
	var cases strings.Builder
	for i := range deskCases {
		fmt.Fprintf(&cases, "{\"id\": \"c%d\", \"input\": \"question %d\"}\n", i, i)
	}
	write(t, dir, "cases.jsonl", cases.String())
	return write(t, dir, "suite.yaml", fmt.Sprintf(`newel: v1
name: desk
data: {file: cases.jsonl}
matrix: {tone: [plain, formal]}
trials: %d
target:
  http: {url: %q, body: {case: "{{ id }}", tone: "{{ dims.tone }}"}, take: {output: /reply}}
  concurrency: %d
  retries: 0
rubrics:
  - name: to the case
    floor:
      - contains: {from: id}
  - name: polite
    floor:
      - contains: formal
%s`, deskTrials, d.url, deskAtOnce, more))
}

// reference runs the desk's suite undisturbed in a store of its own and
// returns the digest. What was asked is forgotten.
func (d *desk) reference(t testing.TB, code int) newel.Hash {
	t.Helper()
	dir := t.TempDir()
	d.again(true, d.fails)
	must(t, dir, code, "run", d.suite(t, dir, ""), "--id=x", storeIn(dir), "-q")
	d.once(t, nil)
	d.again(false, never)
	return whole(t, dir, "x").Digest
}
