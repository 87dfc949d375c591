//go:build unix

package target

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// commands returns a world in which the test binary may run as a command.
func commands(t testing.TB) *world {
	w := newWorld(map[string]string{"TARGET_HELPER": "1", "TARGET_KEY": "sk-12345", "OTHER": "no", "PATH": "/usr/bin:/bin"})
	w.Dir = t.TempDir()
	w.AllowCommands = []string{w.Dir}
	return w
}

func helperSuite(t testing.TB, rest string, args ...string) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return `{command: {run: ["` + strings.Join(append([]string{self}, args...), `", "`) + `"], env: [TARGET_HELPER, TARGET_KEY]}` + rest + `}`
}

func TestCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mode  string
		kind  newel.ErrorKind // empty: answered
		want  string
		tries float64
	}{
		{"echo", "", `"you said x"`, 1},
		{"die", newel.KindTarget, "the command ended before it answered: exit status 3 (after 3 attempts); it wrote: lost with ${TARGET_KEY}", 3},
		{"garbage", newel.KindProtocol, "loading model ${TARGET_KEY}", 1},
		{"other-id", newel.KindProtocol, "answered id 99 where 1 was asked", 1},
		{"no-id", newel.KindProtocol, "the answer has no id (1 was asked)", 1},
		{"silent", newel.KindProtocol, "neither output nor error", 1},
		{"refuse", newel.KindCase, "no such customer", 1},
		{"big", newel.KindTooLarge, "the answer is larger than 16 MiB", 1},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			got := ask(t, one(t, helperSuite(t, "", tt.mode), commands(t).Env), newCase(`"x"`))
			if tt.kind == "" {
				wantOutput(t, got, tt.want)
			} else {
				wantErr(t, got, tt.kind, tt.want)
			}
			if run := jsonOf(t, string(got.Run)).(map[string]any); run["attempts"] != tt.tries {
				t.Errorf("run %s, want %v attempts", got.Run, tt.tries)
			}
		})
	}
	t.Run("context, cost and usage come along", func(t *testing.T) {
		t.Parallel()
		got := ask(t, one(t, helperSuite(t, "", "echo"), commands(t).Env), newCase(`"x"`))
		if string(got.Context) != `["a passage"]` || string(got.Run) != `{"attempts":1,"cost_usd":0.25,"latency_ms":0,"usage":{"total_tokens":3}}` {
			t.Errorf("context %s, run %s", got.Context, got.Run)
		}
	})
	t.Run("one that died is started again", func(t *testing.T) {
		t.Parallel()
		w := commands(t)
		set := one(t, helperSuite(t, "", "die-once", filepath.Join(w.Dir, "mark")), w.Env)
		wantOutput(t, ask(t, set, newCase(`"x"`)), `"second try"`)
	})
	t.Run("it stays running between items", func(t *testing.T) {
		t.Parallel()
		set := one(t, helperSuite(t, ", concurrency: 1", "pid"), commands(t).Env)
		first, second := ask(t, set, newCase(`"x"`)), ask(t, set, newCase(`"y"`))
		wantOutput(t, second, string(first.Output))
	})
	t.Run("turns are one line each", func(t *testing.T) {
		t.Parallel()
		set := one(t, helperSuite(t, "", "count"), commands(t).Env)
		got := ask(t, set, &newel.Case{ID: "a", Turns: []string{"one", "two"}})
		wantOutput(t, got, `[{"content":"one","role":"user"},{"content":"1: one","role":"assistant"},{"content":"two","role":"user"},{"content":"3: two","role":"assistant"}]`)
	})
	t.Run("its environment is small", func(t *testing.T) {
		t.Parallel()
		set := one(t, helperSuite(t, "", "env"), commands(t).Env)
		wantOutput(t, ask(t, set, newCase(`"x"`)), `"PATH=/usr/bin:/bin TARGET_HELPER=1 TARGET_KEY=${TARGET_KEY}"`)
	})
}

func TestCommandSeesNoAnswers(t *testing.T) {
	t.Parallel()
	set := one(t, helperSuite(t, "", "line"), commands(t).Env)
	c := newCase(`"x"`, newel.Named{Name: "v", Value: newel.Raw(`1`)})
	c.Reference, c.Criteria, c.Checks = newel.Raw(`"gold"`), newel.Raw(`"gold"`), newel.Raw(`["gold"]`)
	c.Labels = []newel.Named{{Name: "r", Value: newel.Raw(`"gold"`)}}
	c.Dims = []newel.Dim{{Name: "lang", Value: "de"}}
	c.Context = []newel.Passage{{ID: "1", Text: "p"}}
	line, err := newel.Unquote(ask(t, set, c).Output)
	if err != nil {
		t.Fatal(err)
	}
	want := jsonOf(t, `{"id":1,"case":"a","trial":1,"input":"x","messages":[{"role":"user","content":"x"}],"context":[{"id":"1","text":"p"}],"vars":{"v":1},"dims":{"lang":"de"}}`)
	if diff := cmp.Diff(want, jsonOf(t, line)); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
}

// family waits until a command and its child have connected and returns what
// tells when both are gone.
func family(t *testing.T, listener net.Listener) (gone func()) {
	var conns []net.Conn
	for range 2 {
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	return func() {
		for _, c := range conns {
			if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a process is left: %v", err)
			}
			c.Close()
		}
	}
}

func TestCommandThatTakesTooLongIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	set := one(t, helperSuite(t, ", timeout: 500ms, retries: 0", "family"), commands(t).Env)
	answer := make(chan newel.Fetched)
	go func() {
		answer <- set.Ask(t.Context(), item(newCase(`"x"`, newel.Named{Name: "address", Value: newel.AppendString(nil, listener.Addr().String())})))
	}()
	gone := family(t, listener)
	wantErr(t, <-answer, newel.KindTimeout, "no answer within 500ms")
	gone()
}

func TestCancelEndsIdleCommands(t *testing.T) {
	t.Parallel()
	set := one(t, helperSuite(t, "", "echo"), commands(t).Env)
	var asks sync.WaitGroup
	for range 4 {
		asks.Go(func() { set.Ask(t.Context(), item(newCase(`"x"`))) })
	}
	asks.Wait()
	c := set.targets[0].kind.(*command)
	if len(c.pool.idle) == 0 {
		t.Fatal("no command was kept")
	}
	kept := c.pool.idle[0]
	c.cancelled()
	if _, err := kept.out.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("its output reads %v, want it closed", err)
	}
	if kept.cmd.ProcessState == nil || len(c.pool.idle) != 0 {
		t.Error("an idle command is still running")
	}
}

func TestClosedCommandsStayClosed(t *testing.T) {
	t.Parallel()
	set := one(t, helperSuite(t, "", "echo"), commands(t).Env)
	wantOutput(t, ask(t, set, newCase(`"x"`)), `"you said x"`)
	set.Close()
	wantErr(t, ask(t, set, newCase(`"x"`)), newel.KindTarget, "closed")
}

func TestCommandsNeedPermission(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	w := commands(t)
	if err := os.Symlink(w.Dir, link); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(w.Dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, dir string
		allowed   []string
		want      bool
	}{
		{"none is allowed by itself", w.Dir, nil, false},
		{"the folder", w.Dir, []string{outside, w.Dir}, true},
		{"a folder within it", sub, []string{w.Dir}, true},
		{"the folder above", w.Dir, []string{sub}, false},
		{"a link to it", link, []string{w.Dir}, true},
		{"a link from elsewhere is followed", link, []string{outside}, false},
		{"a folder whose name only starts alike", w.Dir, []string{w.Dir[:len(w.Dir)-1]}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := w.Env
			env.Dir, env.AllowCommands = tt.dir, tt.allowed
			var m newel.Mistakes
			target := Parse(node(t, helperSuite(t, "", "echo")), env, &m)
			if (target != nil) != tt.want {
				t.Errorf("allowed %v, want %v: %v", target != nil, tt.want, m.Err())
			}
			env.Elsewhere = true
			set := one(t, helperSuite(t, "", "echo"), env)
			got := ask(t, set, newCase(`"x"`))
			if tt.want {
				wantOutput(t, got, `"you said x"`)
			} else {
				wantErr(t, got, newel.KindTarget, "commands run only with --allow-commands DIR")
			}
		})
	}
}

func TestProgramsAreFound(t *testing.T) {
	t.Parallel()
	w := commands(t)
	script := "#!/bin/sh\nwhile read -r line; do echo '{\"id\":1,\"output\":\"'\"$1 $PWD\"'\"}'; done\n"
	if err := os.WriteFile(filepath.Join(w.Dir, "app.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.EvalSymlinks(w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, argv := range []string{`[./app.sh, hi]`, `[sh, app.sh, hi]`} {
		got := ask(t, one(t, `command: {run: `+argv+`}`, w.Env), newCase(`"x"`))
		wantOutput(t, got, `"hi `+here+`"`)
	}
	wantErr(t, ask(t, one(t, `command: {run: [no-such-program]}`, w.Env), newCase(`"x"`)), newel.KindTarget, `no program "no-such-program" along PATH`)
}
