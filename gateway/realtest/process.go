package realtest

import (
	"context"
	"embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// ready is how long a program may take to answer.
const ready = 3 * time.Minute

//go:embed scripts
var scripts embed.FS

// installed returns the folder of a program, which a variable names.
func installed(t testing.TB, name, variable string) string {
	t.Helper()
	if dir := os.Getenv(variable); dir != "" {
		return dir
	}
	missing := name + " is not installed for tests (" + variable + " is not set): run them with go run ./internal/ci gateways"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// script writes one of our scripts where its program can read it.
func script(t testing.TB, name string) string {
	t.Helper()
	text, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return file(t, name, text)
}

func file(t testing.TB, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// freePort is a port of the loopback that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// start runs a program until the test ends, and returns when it answers 200
// at a URL. It knows nothing of the caller's environment but the path. All our
// scripts end when their input ends, which is when this process does.
func start(t testing.TB, url string, env []string, program string, args ...string) {
	t.Helper()
	c := exec.Command(program, args...)
	home := t.TempDir()
	c.Dir, c.WaitDelay = home, 5*time.Second
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8"}, env...)
	said := &tail{}
	c.Stdout, c.Stderr = said, said
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended, why := context.WithCancelCause(context.Background())
	go func() { why(fmt.Errorf("it ended before it answered: %v", c.Wait())) }()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-ended.Done()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(program), said)
		}
	})
	if err := answers(t.Context(), ended, url); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, said)
	}
}

// answers waits until a URL is answered with 200, the program ends or the
// patience does.
func answers(ctx, ended context.Context, url string) error {
	ctx, stop := context.WithTimeout(ctx, ready)
	defer stop()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for !ok(ctx, url) {
		select {
		case <-ended.Done():
			return context.Cause(ended)
		case <-ctx.Done():
			return fmt.Errorf("no answer at %s: %w", url, ctx.Err())
		case <-again.C:
		}
	}
	return nil
}

func ok(ctx context.Context, url string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	p, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return false
	}
	_ = p.Body.Close()
	return p.StatusCode == http.StatusOK
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailLength = 4 << 10

func (k *tail) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text = append(k.text, b...)
	k.text = k.text[max(0, len(k.text)-tailLength):]
	return len(b), nil
}

func (k *tail) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(k.text)
}
