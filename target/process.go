package target

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	maxStderr = 4 << 10 // of what a command wrote, shown with an error, in bytes
	// grace is how long a command may take to end once nothing more is asked,
	// or to be gone after it closed its output.
	grace = 2 * time.Second
)

// past is a deadline that has gone by.
var past = time.Unix(1, 0)

// process is a running command. It serves one request at a time.
type process struct {
	cmd        *exec.Cmd
	in         *os.File
	out        *os.File
	lines      *bufio.Reader
	errOut     *os.File
	stderr     tail
	stderrDone chan struct{}
}

// startProcess starts a command as the head of a process group of its own, so
// that its children end with it.
func startProcess(file string, argv []string, dir string, env []string) (*process, error) {
	var ends [6]*os.File // ours and its, of stdin, stdout and stderr
	closeAll := func(files ...*os.File) {
		for _, f := range files {
			if f != nil {
				f.Close()
			}
		}
	}
	for i := 0; i < len(ends); i += 2 {
		var err error
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:]...)
			return nil, err
		}
	}
	cmd := &exec.Cmd{Path: file, Args: argv, Dir: dir, Env: env, Stdin: ends[0], Stdout: ends[3], Stderr: ends[5]}
	ownGroup(cmd)
	err := cmd.Start()
	closeAll(ends[0], ends[3], ends[5])
	if err != nil {
		closeAll(ends[1], ends[2], ends[4])
		return nil, err
	}
	p := &process{cmd: cmd, in: ends[1], out: ends[2], lines: bufio.NewReaderSize(ends[2], 64<<10), errOut: ends[4], stderrDone: make(chan struct{})}
	go p.keepStderr()
	return p, nil
}

func (p *process) keepStderr() {
	defer close(p.stderrDone)
	_, _ = io.Copy(&p.stderr, p.errOut) // ends with the process, or with end's deadline
}

// exchange sends a line and reads one. When ctx is done it kills the process
// and comes back at once; after an error the process is of no more use.
func (p *process) exchange(ctx context.Context, line []byte) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() {
		killGroup(p.cmd)
		p.in.SetDeadline(past)
		p.out.SetDeadline(past)
	})
	defer stop()
	if _, err := p.in.Write(line); err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	} // else what it said before it stopped listening tells more
	answer, err := readLine(p.lines, MaxBody)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return answer, err
}

// end waits for a process and its group to be gone and returns how it ended
// when it did so by itself. Killed, it gets no time to; else, it may end within
// the grace.
func (p *process) end(kill bool) (status string) {
	p.in.Close()
	if kill {
		killGroup(p.cmd)
	}
	timer := time.AfterFunc(grace, func() { killGroup(p.cmd) })
	_ = p.cmd.Wait()
	late := !timer.Stop()
	killGroup(p.cmd) // children that outlived it
	p.errOut.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	<-p.stderrDone
	p.errOut.Close()
	p.out.Close()
	if kill || late {
		return ""
	}
	return p.cmd.ProcessState.String()
}

// tail keeps the end of what is written to it. What may have been cut in the
// middle is left off by the line, so that no half of a secret gets through.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool
}

const maxTail = 4 * maxStderr

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[over:]...), true
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(t.kept)
	if t.cut {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimSpace(text)
}

// lastBytes returns the end of a text that is free of secrets already.
func lastBytes(text string, most int) string {
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
