package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"newel"
)

// command asks a local program that stays running: a JSON line in, a JSON line
// out.
type command struct {
	argv    []string
	dir     string
	allowed []string
	names   []string // variables that are handed on
	secrets *secrets
	pool    *pool
}

var commandKeys = []string{"run", "env"}

func parseCommand(n *newel.Node, env Env, m *newel.Mistakes) (kind, *secrets) {
	f := fieldsOf(n, "command", commandKeys, m)
	c := &command{dir: env.Dir, allowed: env.AllowCommands}
	if run := f.required("run", "the program and its arguments, such as [python3, app.py]"); run != nil {
		c.argv = f.argv(run)
	}
	if e := f.at("env"); e != nil {
		c.names = f.names(e)
	}
	if err := c.permitted(); err != nil && !env.Elsewhere {
		m.Add(n.Pos, "%v", err)
	}
	c.secrets = newSecrets(append([]string(nil), c.names...), env.Lookup)
	c.pool = &pool{start: c.start}
	return c, c.secrets
}

func (f fields) argv(n *newel.Node) []string {
	var argv []string
	for _, e := range n.List {
		text, ok := e.Text()
		switch {
		case !ok:
			f.m.Add(e.Pos, "command: run is a list of texts; quote what is %s", e.Kind())
		case strings.Contains(text, "{{"):
			f.m.Add(e.Pos, "command: the values of a case come as a line on standard input, not as arguments")
		case strings.ContainsRune(text, 0):
			f.m.Add(e.Pos, "command: an argument cannot hold a zero byte")
		}
		argv = append(argv, text)
	}
	switch {
	case len(argv) == 0 || argv[0] == "":
		f.m.Add(n.Pos, "command: run is a list of the program and its arguments, such as [python3, app.py]; this is %s", n.Kind())
	case strings.Contains(argv[0], "/") && !filepath.IsAbs(argv[0]) && !filepath.IsLocal(argv[0]):
		f.m.Add(n.List[0].Pos, "command: %q leaves the suite's folder", argv[0])
	}
	return argv
}

func (f fields) names(n *newel.Node) []string {
	var names []string
	for _, e := range n.List {
		name, _ := e.Text()
		if !variableName.MatchString(name) {
			f.m.Add(e.Pos, "command: env lists names of environment variables to hand on, such as API_KEY")
			continue
		}
		names = append(names, name)
	}
	if !n.IsList() {
		f.m.Add(n.Pos, "command: env is a list of names of environment variables; this is %s", n.Kind())
	}
	return names
}

// permitted reports whether the suite's folder is one whose commands may run,
// links followed.
func (c *command) permitted() error {
	dir, err := realPath(c.dir)
	if err != nil {
		return fmt.Errorf("the suite's folder: %w", err)
	}
	for _, a := range c.allowed {
		root, err := realPath(a)
		if err != nil {
			continue // a folder that is not there allows nothing
		}
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fmt.Errorf("commands run only with --allow-commands DIR, where DIR holds the suite")
}

func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// basicNames are handed on where they are set, without being asked for.
var basicNames = []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SystemRoot", "TEMP", "TMP"}

// environment is the little that a command gets: the basics and what the suite
// names.
func (c *command) environment() ([]string, *fault) {
	env := make([]string, 0, len(basicNames)+len(c.names))
	for _, name := range basicNames {
		if v, ok := c.secrets.Lookup(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for _, name := range c.names {
		v, f := c.secrets.value(name)
		if f != nil {
			return nil, f
		}
		env = append(env, name+"="+v)
	}
	return env, nil
}

// program returns the file to run: a bare name is looked for along PATH, a
// relative one in the suite's folder.
func (c *command) program() (string, error) {
	name := c.argv[0]
	if filepath.IsAbs(name) {
		return name, nil
	}
	if strings.Contains(name, "/") {
		return filepath.Abs(filepath.Join(c.dir, name))
	}
	path, _ := c.secrets.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && !info.IsDir() && runnable(info) {
			return file, nil
		}
	}
	return "", fmt.Errorf("no program %q along PATH", name)
}

func (c *command) start() (*process, *fault) {
	if err := c.permitted(); err != nil {
		return nil, &fault{kind: newel.KindTarget, text: err.Error()}
	}
	env, f := c.environment()
	if f != nil {
		return nil, f
	}
	file, err := c.program()
	if err == nil {
		var p *process
		if p, err = startProcess(file, c.argv, c.dir, env); err == nil {
			return p, nil
		}
	}
	return nil, &fault{kind: newel.KindTarget, text: "start " + c.argv[0] + ": " + err.Error()}
}

func (c *command) opening(sc *scope) ([]any, *fault) { return chatOpening(sc), nil }

// request is what a command reads. What people said about the case, its
// reference and its checks stay here.
type request struct {
	ID       uint64    `json:"id"`
	Case     string    `json:"case"`
	Trial    int       `json:"trial"`
	Input    newel.Raw `json:"input,omitempty"`
	Messages []any     `json:"messages,omitempty"`
	Turns    []string  `json:"turns,omitempty"`
	Context  any       `json:"context,omitempty"`
	Media    any       `json:"media,omitempty"`
	Vars     any       `json:"vars,omitempty"`
	Dims     any       `json:"dims,omitempty"`
	Tags     []string  `json:"tags,omitempty"`
}

func requestLine(id uint64, sc *scope) ([]byte, *fault) {
	s, c := sc.subject, sc.subject.Case
	r := request{ID: id, Case: c.ID, Trial: s.Item.Trial, Input: c.Input, Messages: sc.messages, Turns: c.Turns, Tags: c.Tags}
	for name, to := range map[string]*any{"context": &r.Context, "media": &r.Media, "vars": &r.Vars, "dims": &r.Dims} {
		path, err := newel.ParsePath(name)
		if err == nil {
			*to, _ = s.Lookup(path) // what the case lacks is left out
		}
	}
	line, err := json.Marshal(r)
	switch {
	case err != nil:
		return nil, caseFault("%v", err)
	case len(line) >= MaxBody:
		return nil, tooLarge("the request")
	}
	return append(line, '\n'), nil
}

func (c *command) ask(ctx context.Context, sc *scope) (*reply, *fault) {
	p, id, f := c.pool.take()
	if f != nil {
		return nil, f
	}
	line, f := requestLine(id, sc)
	if f != nil {
		c.pool.give(p)
		return nil, f
	}
	answer, err := p.exchange(ctx, line)
	if err == nil {
		var r *reply
		if r, f, err = readAnswer(answer, id); err == nil {
			c.settle(ctx, p)
			return r, f
		}
	}
	return nil, c.broken(ctx, p, err)
}

// settle keeps a process for the next item, unless its time is up.
func (c *command) settle(ctx context.Context, p *process) {
	if ctx.Err() != nil {
		p.end(true)
		return
	}
	c.pool.give(p)
}

// broken ends a process that did not answer as it should and says what became
// of it.
func (c *command) broken(ctx context.Context, p *process, err error) *fault {
	f := &fault{kind: newel.KindTarget, text: err.Error(), again: true}
	var wrong *protocolError
	switch {
	case errors.As(err, &wrong):
		f.kind, f.again = newel.KindProtocol, false
		f.text += ": " + clipTo(c.secrets.Mask(string(wrong.line)), maxShown)
	case err == errLineTooLong:
		f = tooLarge("the answer")
	}
	status := p.end(ctx.Err() != nil || wrong != nil || err == errLineTooLong)
	if f.again && status != "" {
		f.text = "the command ended before it answered: " + status
	}
	if said := lastBytes(c.secrets.Mask(p.stderr.text()), maxStderr); said != "" {
		f.detail = "; it wrote: " + said
	}
	return f
}

func (c *command) cancelled() { c.pool.stopIdle(true) }
func (c *command) close()     { c.pool.close() }
