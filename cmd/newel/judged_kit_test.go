package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"newel"
	"newel/bench/upstream"
)

// failsEvery is how often a scripted judge says the last of what it may say.
const failsEvery = 7

// judgement answers in the form that the request asks for: pass, the first
// choice or a high score, but the last choice or a low score to every
// failsEvery-th case. It repeats the code that the request gives to its case.
func judgement(c *upstream.Call) upstream.Act {
	return upstream.Act{Text: answerTo(c, markedCase(c)%failsEvery == 0)}
}

// markedCase is the number of the case that a request shows.
func markedCase(c *upstream.Call) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(c.Marker, "case-"))
	return n
}

// answerTo is an answer in the form that the request asks for.
func answerTo(c *upstream.Call, bad bool) string {
	var asked struct {
		Format struct {
			Schema struct {
				Schema struct {
					Properties map[string]struct {
						Type string
						Enum []string
					}
				}
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(c.Body, &asked); err != nil {
		return err.Error()
	}
	answer := map[string]any{}
	for name, p := range asked.Format.Schema.Schema.Properties {
		switch {
		case name == "check":
			answer[name] = upstream.Mark
		case len(p.Enum) > 0 && bad:
			answer[name] = p.Enum[len(p.Enum)-1]
		case len(p.Enum) > 0:
			answer[name] = p.Enum[0]
		case p.Type == "integer" || p.Type == "number":
			answer[name] = 5
			if bad {
				answer[name] = 2
			}
		default:
			answer[name] = "as the context says"
		}
	}
	text, _ := json.Marshal(answer) // of maps and plain values
	return string(text)
}

// bench is a suite with a judge, in a folder with a store, and its upstream.
type bench struct {
	dir, suite string
	env        []string
	up         *upstream.Server
}

// onePrompt is the usual rubric.
const onePrompt = `  - name: grounded
    judge: {prompt: "builtin:groundedness@1", sample: all}
`

// setting is what differs between benches.
type setting struct {
	cases   int
	rubrics string // empty: onePrompt
	judge   string // more keys of judge:, each a line with two spaces before
	top     string // more keys of the suite
	script  upstream.Script
}

// newBench writes a suite and starts its upstream.
func newBench(t testing.TB, o setting) *bench {
	t.Helper()
	if o.script.Act == nil {
		o.script.Act = judgement
	}
	b := &bench{dir: t.TempDir(), up: upstream.Start(t, o.script)}
	b.env = []string{"GW=" + b.up.URL + "/v1", "GWKEY=" + benchKey}
	write(t, b.dir, "cases.jsonl", benchCases(o.cases, 0))
	b.suite = b.writeSuite(t, o)
	return b
}

// benchKey is the key that benches bring.
const benchKey = "sk-bench-2f1c77"

func (b *bench) writeSuite(t testing.TB, o setting) string {
	t.Helper()
	if o.rubrics == "" {
		o.rubrics = onePrompt
	}
	return write(t, b.dir, "suite.yaml", `newel: v1
name: judged
data: {file: cases.jsonl}
rubrics:
`+o.rubrics+`judge:
  gateway: {name: main, url: "${GW}", key_env: GWKEY}
  model: gpt-4o-mini
`+o.judge+`cache: 30d
`+o.top)
}

// benchCases are n cases; the outputs of the first so many differ from those of
// other benches.
func benchCases(n, changed int) string {
	var lines strings.Builder
	for i := range n {
		output := fmt.Sprintf("Order case-%d ships today [1].", i)
		if i < changed {
			output = fmt.Sprintf("Order case-%d ships tomorrow [1].", i)
		}
		line, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("case-%d", i), "input": fmt.Sprintf("Where is order %d?", i), "output": output,
			"outputs": map[string]string{"new": output, "old": "It is on its way."}, "context": []string{fmt.Sprintf("Order %d ships today.", i)},
			"criteria": []string{"It names the day.", "It names the order."}})
		lines.Write(append(line, '\n'))
	}
	return lines.String()
}

// call runs a command in this process, with the time of the day.
func (b *bench) call(t testing.TB, args ...string) call {
	t.Helper()
	return b.with(t, b.env, nil, args...)
}

func (b *bench) with(t testing.TB, env []string, change func(*app), args ...string) call {
	t.Helper()
	out, err := &recorder{}, &recorder{}
	a := &app{in: &bytes.Buffer{}, out: out, err: err, now: time.Now, rand: rand.Reader, env: lookupIn(env)}
	if change != nil {
		change(a)
	}
	code := a.main(append(args, storeIn(b.dir)))
	return call{code, out.String(), err.String()}
}

func lookupIn(env []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, e := range env {
			if key, value, _ := strings.Cut(e, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
}

// run runs the suite as run id, which must end with a code.
func (b *bench) run(t testing.TB, code int, id string, args ...string) call {
	t.Helper()
	args = append([]string{"run", b.suite, "--id=" + id, "-q"}, args...)
	got := b.call(t, args...)
	wantCode(t, got, code, args...)
	return got
}

// begin starts a command as a process of its own.
func (b *bench) begin(t testing.TB, args ...string) *process {
	t.Helper()
	return beginWith(t, b.dir, b.env, append(args, storeIn(b.dir))...)
}

// beginWith starts the command in a folder with more in its environment.
func beginWith(t testing.TB, dir string, env []string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{commandVariable + "=1"}, env...)
	return beginCommand(t, dir, cmd)
}

// sealed is a sealed run, checked byte by byte.
func (b *bench) sealed(t testing.TB, id string) (*newel.Run, *newel.Summary) {
	t.Helper()
	run := whole(t, b.dir, id)
	return run, summaryIn(t, run)
}

// spending is a run's account.
func (b *bench) spending(t testing.TB, id string) newel.Spending {
	t.Helper()
	s := opened(t, b.dir)
	defer s.Close()
	sp, err := s.Spending(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// judgedAll checks that a sealed run of n cases has no row but passes and fails,
// as the scripted judge says them, and returns its digest.
func (b *bench) judgedAll(t testing.TB, id string, n int) newel.Hash {
	t.Helper()
	run, sum := b.sealed(t, id)
	fails := (n + failsEvery - 1) / failsEvery
	if c := sum.Cases; c.Planned != n || c.Fail != fails || c.Pass != n-fails {
		t.Errorf("run %s: cases %+v, want %d of which %d fail", id, c, n, fails)
	}
	return run.Digest
}

// undisturbedDigest is the digest of a run of the same suite over an upstream
// without faults, in a folder of its own.
func undisturbedDigest(t testing.TB, o setting) newel.Hash {
	t.Helper()
	o.script = upstream.Script{Act: o.script.Act}
	b := newBench(t, o)
	got := b.call(t, "run", b.suite, "--id=plain", "-q")
	wantCode(t, got, exitPassed)
	run, _ := b.sealed(t, "plain")
	return run.Digest
}

// filesUnder lists the files of a folder and all below it.
func filesUnder(t testing.TB, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
