package target

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"newel"
)

// TestMain runs the tests, or stands in for a command under test. Afterwards
// no goroutine of the package may be left.
func TestMain(m *testing.M) {
	if os.Getenv("TARGET_HELPER") != "" {
		if os.Args[1] == "hold" {
			hold(os.Args[2])
		}
		helper(os.Args[1], os.Args[2:])
		return
	}
	code := m.Run()
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, one := range strings.Split(string(stacks), "\n\n")[1:] {
		if strings.Contains(one, "newel/target.") {
			fmt.Fprintf(os.Stderr, "a goroutine is left:\n%s\n", one)
			code = 1
		}
	}
	os.Exit(code)
}

// helper answers lines in the way that mode says.
func helper(mode string, args []string) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked struct {
			ID       uint64           `json:"id"`
			Input    any              `json:"input"`
			Messages []map[string]any `json:"messages"`
			Vars     map[string]any   `json:"vars"`
		}
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, "bad line:", err)
			os.Exit(1)
		}
		tell := func(fields map[string]any) {
			if _, set := fields["id"]; !set {
				fields["id"] = asked.ID
			}
			out, _ := json.Marshal(fields)
			os.Stdout.Write(append(out, '\n'))
		}
		switch mode {
		case "line":
			tell(map[string]any{"output": string(line)})
		case "echo":
			tell(map[string]any{"output": fmt.Sprint("you said ", asked.Input), "context": []string{"a passage"},
				"run": map[string]any{"cost_usd": 0.25, "usage": map[string]any{"total_tokens": 3}}})
		case "pid":
			tell(map[string]any{"output": fmt.Sprint(os.Getpid())})
		case "count":
			last := asked.Messages[len(asked.Messages)-1]["content"]
			tell(map[string]any{"output": fmt.Sprintf("%d: %v", len(asked.Messages), last)})
		case "env":
			tell(map[string]any{"output": strings.Join(os.Environ(), " ")})
		case "die":
			fmt.Fprintln(os.Stderr, "lost with", os.Getenv("TARGET_KEY"))
			os.Exit(3)
		case "die-once":
			if _, err := os.Stat(args[0]); err != nil {
				os.WriteFile(args[0], nil, 0o600)
				os.Exit(1)
			}
			tell(map[string]any{"output": "second try"})
		case "garbage":
			fmt.Println("loading model", os.Getenv("TARGET_KEY"))
		case "other-id":
			tell(map[string]any{"id": 99, "output": "x"})
		case "no-id":
			fmt.Println(`{"output":"x"}`)
		case "silent":
			tell(map[string]any{})
		case "refuse":
			tell(map[string]any{"error": map[string]any{"kind": "case", "message": "no such customer"}})
		case "big":
			io.Copy(os.Stdout, io.LimitReader(zeros{}, MaxBody+10))
			fmt.Println()
		case "family":
			child := exec.Command(os.Args[0], "hold", asked.Vars["address"].(string))
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
			child.Stdin = os.Stdin
			child.Start()
			hold(asked.Vars["address"].(string))
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

// hold keeps a connection open for as long as the process lives.
func hold(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		os.Exit(1)
	}
	io.Copy(io.Discard, conn)
	os.Exit(1)
}

// world is an Env whose waits are noted and over at once.
type world struct {
	Env
	mu    sync.Mutex
	waits []time.Duration
}

func newWorld(vars map[string]string) *world {
	w := &world{}
	w.Env = Env{
		Dir:    ".",
		Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Random: func() float64 { return 0 },
		Wait: func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.waits = append(w.waits, d)
			return ctx.Err()
		},
	}
	return w
}

// node reads YAML into nodes with places.
func node(t testing.TB, text string) *newel.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return nodeOf(doc.Content[0])
}

func nodeOf(y *yaml.Node) *newel.Node {
	n := &newel.Node{Pos: newel.Pos{File: "suite.yaml", Line: y.Line, Column: y.Column}}
	switch y.Kind {
	case yaml.MappingNode:
		n.Fields = []*newel.Field{}
		for i := 0; i < len(y.Content); i += 2 {
			key := nodeOf(y.Content[i])
			n.Fields = append(n.Fields, &newel.Field{Name: y.Content[i].Value, Pos: key.Pos, Node: nodeOf(y.Content[i+1])})
		}
	case yaml.SequenceNode:
		n.List = []*newel.Node{}
		for _, e := range y.Content {
			n.List = append(n.List, nodeOf(e))
		}
	default:
		y.Decode(&n.Value)
		if i, ok := n.Value.(int); ok {
			n.Value = float64(i)
		}
	}
	return n
}

// one returns a set of the target that text describes.
func one(t testing.TB, text string, env Env) *Set {
	t.Helper()
	var m newel.Mistakes
	target := Parse(node(t, text), env, &m)
	if err := m.Err(); err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	set := NewSet(target)
	t.Cleanup(set.Close)
	return set
}

// newCase returns a case with an input and vars, both JSON.
func newCase(input string, vars ...newel.Named) *newel.Case {
	c := &newel.Case{ID: "a", Vars: vars}
	if input != "" {
		c.Input = newel.Raw(input)
	}
	return c
}

func item(c *newel.Case, matrix ...newel.Dim) *newel.Item {
	return &newel.Item{Case: c, Matrix: matrix, Trial: 1}
}

func ask(t testing.TB, set *Set, c *newel.Case) newel.Fetched {
	t.Helper()
	return set.Ask(t.Context(), item(c))
}

// wantErr checks an answer's error: its kind and a part of its message.
func wantErr(t testing.TB, got newel.Fetched, kind newel.ErrorKind, part string) {
	t.Helper()
	if got.Err == nil {
		t.Fatalf("got output %s, want an error of kind %s", got.Output, kind)
	}
	if got.Err.Kind != kind || !strings.Contains(got.Err.Message, part) {
		t.Errorf("got %v\nwant %s: …%s…", got.Err, kind, part)
	}
}

func wantOutput(t testing.TB, got newel.Fetched, want string) {
	t.Helper()
	if got.Err != nil {
		t.Fatalf("got error %v, want %s", got.Err, want)
	}
	if string(got.Output) != want {
		t.Errorf("got  %s\nwant %s", got.Output, want)
	}
}
