package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

// court is a suite with judges and the scripted model that they ask, for calls
// within the test. Its clock is the time of the day, since a store dates replies
// by its own, but for what it is moved on.
type court struct {
	t     testing.TB
	dir   string
	suite string
	env   []string
	later time.Duration
	up    *upstream.Server
}

// courtCases are 12 cases; people say of each whether it is grounded.
func courtCases() string {
	var b strings.Builder
	for i := range 12 {
		says := "ships today [1]."
		if i%4 == 3 {
			says = "is lost."
		}
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("case-%d", i), "input": fmt.Sprintf("Where is order %d?", i),
			"output": fmt.Sprintf("Order %d %s", i, says), "context": []string{fmt.Sprintf("Order %d ships today.", i)},
			"labels": map[string]bool{"grounded": i%3 != 0}})
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// courtScript answers with a pass, but for cases whose number is a multiple of
// 5, and bills like LiteLLM.
func courtScript() upstream.Script {
	return upstream.Script{
		Act:     failsNumbers(5, `{"analysis":"fine","verdict":"pass","check":"`+upstream.Mark+`"}`, `{"analysis":"not so","verdict":"fail","check":"`+upstream.Mark+`"}`),
		Dialect: upstream.LiteLLM, Usage: &upstream.Usage{In: 300, Out: 40}, Price: upstream.Price{In: 150_000, Cached: 75_000, Out: 600_000},
	}
}

// failsNumbers fails orders whose number is a multiple of n, whatever the model.
func failsNumbers(n int, pass, fail string) func(*upstream.Call) upstream.Act {
	return func(c *upstream.Call) upstream.Act {
		number := 1
		if _, text, ok := strings.Cut(string(c.Body), "Order "); ok {
			_, _ = fmt.Sscanf(text, "%d", &number)
		}
		if number%n == 0 {
			return upstream.Act{Text: fail}
		}
		return upstream.Act{Text: pass}
	}
}

// newCourt writes a suite of the court's cases with these lines.
func newCourt(t testing.TB, script upstream.Script, text string) *court {
	t.Helper()
	c := &court{t: t, dir: t.TempDir(), up: upstream.Start(t, script)}
	c.env = []string{"GW=" + c.up.URL + "/v1", "GWKEY=sk-court-81"}
	write(t, c.dir, "cases.jsonl", courtCases())
	c.write(text)
	return c
}

// usualCourt is a floor under a judge, whose audit sees all.
const usualCourt = `rubrics:
  - name: grounded
    floor: [contains: {value: "[1]", settles: fail}]
    judge: {prompt: "builtin:groundedness@1", sample: all, audit: 1}
judge:
  gateway: {name: main, url: "${GW}", key_env: GWKEY}
  model: gpt-4o-mini
`

func (c *court) write(text string) {
	c.t.Helper()
	c.suite = write(c.t, c.dir, "suite.yaml", "newel: v1\nname: court\ndata: {file: cases.jsonl}\n"+text)
}

// words runs a command on the store; SUITE stands for the suite's path.
func (c *court) words(code int, line string) call {
	c.t.Helper()
	args := []string{storeIn(c.dir)}
	for _, word := range strings.Fields(line) {
		args = append(args, strings.ReplaceAll(word, "SUITE", c.suite))
	}
	var out, err bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &out, err: &err, now: func() time.Time { return time.Now().Add(c.later) }, rand: rand.Reader, env: lookupOf(c.env)}
	got := call{a.main(args), out.String(), err.String()}
	wantCode(c.t, got, code, line)
	return got
}

func lookupOf(env []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, e := range env {
			if key, value, _ := strings.Cut(e, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

// plan is what plan says.
func (c *court) plan(line string) (view planView) {
	c.t.Helper()
	got := c.words(exitPassed, "plan SUITE --json "+line)
	if err := json.Unmarshal([]byte(got.out), &view); err != nil {
		c.t.Fatal(err)
	}
	return view
}

// asked is how many requests reached the model since the last time.
func (c *court) asked() int {
	n := int(c.up.Counts().Requests)
	c.up.Reset()
	return n
}

// likeGolden compares text with testdata/name.golden, or writes it under
// -update.
func likeGolden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s changed; read it and run with -update (-want +got):\n%s", path, diff)
	}
}
