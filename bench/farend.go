package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"newel/bench/upstream"
)

// farEnd is an upstream in a process of its own.
type farEnd struct {
	url string
	cmd *exec.Cmd
}

// listen starts an upstream that answers as a judge does, each call after a
// delay.
func (p programs) listen(ctx context.Context, delay time.Duration, more ...string) (*farEnd, error) {
	args := append([]string{"-addr=127.0.0.1:0", "-dialect=litellm", "-price=0.15,0.075,0.6", "-delay=" + delay.String(),
		`-text={"analysis":"It does.","verdict":"pass","check":"` + upstream.Mark + `"}`}, more...)
	c := exec.CommandContext(ctx, p.upstream, args...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.Process.Kill()
		_ = c.Wait()
		return nil, fmt.Errorf("the upstream tells no address: %w", err)
	}
	return &farEnd{strings.TrimSpace(line), c}, nil
}

func (f *farEnd) close() {
	_ = f.cmd.Process.Kill() // fails where it has ended
	_ = f.cmd.Wait()
}

// counts is what the upstream has counted since it was forgotten last.
func (f *farEnd) counts() (c upstream.Counts, err error) {
	resp, err := http.Get(f.url + "/stats")
	if err != nil {
		return c, err
	}
	defer resp.Body.Close()
	return c, json.NewDecoder(resp.Body).Decode(&c)
}

// forget sets the counts to zero.
func (f *farEnd) forget() error {
	resp, err := http.Post(f.url+"/reset", "", nil)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
