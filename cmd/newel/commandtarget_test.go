package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// patient answers questions, its third only once a file named go is there.
const patient = `n=0
while read -r line; do
	n=$((n+1))
	if [ $n -gt 2 ]; then
		while [ ! -e go ]; do sleep 0.02; done
	fi
	id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
	echo "{\"id\":$id,\"output\":\"yes\"}"
done
`

// A stored suite knows where it stood: its command is found from any folder,
// and only those who ask it need the permission to.
func TestARunThatAsksACommandIsGoneOnWithFromAnywhere(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: there is no /bin/sh")
	}
	dir, elsewhere := t.TempDir(), t.TempDir()
	write(t, dir, "app.sh", patient)
	write(t, dir, "cases.jsonl", strings.Repeat("{\"input\": \"q\"}\n", 8))
	suite := write(t, dir, "suite.yaml", `newel: v1
name: patient
data: {file: cases.jsonl, map: {id: {expr: "'c' + string(row)"}}}
target: {command: {run: [sh, app.sh]}, concurrency: 1}
rubrics: [{name: agrees, floor: [contains: "yes"]}]
gate: [{errors: {max: 0}}]
`)
	allow := "--allow-commands=" + dir
	must(t, elsewhere, exitUsage, "run", suite, "--id=x", storeIn(dir))
	p := begin(t, elsewhere, "run", suite, "--id=x", storeIn(dir), allow, "-q")
	await(t, "two answers", func() bool {
		if standing(t, dir, "x") == nil {
			return false
		}
		s := opened(t, dir)
		defer s.Close()
		return tallyOf(t, s, "x").Done == 2
	}, p.done)
	p.signal(os.Kill)
	p.wait()
	write(t, dir, "go", "")

	got := must(t, elsewhere, exitUsage, "resume", "x", storeIn(dir))
	holds(t, got.err, "--allow-commands")
	got = must(t, elsewhere, exitPassed, "report", "x", storeIn(dir))
	near, err := filepath.Rel(elsewhere, dir)
	ok(t, err)
	flags := " --store sqlite:" + filepath.Join(near, "newel.db") + " --allow-commands " + near + " "
	oneLine := func(text string) string { return strings.Join(strings.Fields(text), " ") + " " }
	holds(t, oneLine(got.out), "go on with what is missing: newel resume x"+flags, "newel follow x"+flags, "go on with newel resume x"+flags)
	holds(t, oneLine(must(t, dir, exitPassed, "report", "x", storeIn(dir)).out), "newel resume x --store sqlite:newel.db --allow-commands . ")
	holds(t, oneLine(must(t, elsewhere, exitPassed, "cancel", "x", storeIn(dir)).out), "newel resume x"+flags)
	must(t, elsewhere, exitPassed, "resume", "x", storeIn(dir), allow, "-q")
	must(t, elsewhere, exitPassed, "replay", "x", storeIn(dir))
	must(t, elsewhere, exitPassed, "gate", "x", storeIn(dir))
	if c := summaryIn(t, whole(t, dir, "x")).Cases; c.Pass != 8 {
		t.Errorf("cases %+v, want 8 pass", c)
	}
}
