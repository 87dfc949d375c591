package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"newel/bench/six"
)

// peers are the programs that can be timed beside newel, by the version that
// is installed.
var peers = map[string]string{"promptfoo": "0.121.20"}

// failedCode is what promptfoo exits with when it ran and some cases failed.
const failedCode = 100

// timePeer runs a peer once on n cases, told to leave out all that newel does
// not do: no cache, no table, no telemetry, no look for updates.
func timePeer(ctx context.Context, o options, n int) (usage, error) {
	program, err := install(ctx, o)
	if err != nil {
		return usage{}, err
	}
	dir, err := cases(o, n)
	if err != nil {
		return usage{}, err
	}
	if err := six.WritePeer(dir, o.seed, n); err != nil {
		return usage{}, err
	}
	home, err := os.MkdirTemp("", "newel-bench-peer-")
	if err != nil {
		return usage{}, err
	}
	defer os.RemoveAll(home)
	result := filepath.Join(home, "result.json")
	c := exec.CommandContext(ctx, program, "eval", "-c", filepath.Join(dir, six.PeerFile), "--no-cache", "--no-table", "--no-progress-bar", "--no-share", "-o", result)
	c.Env = append(os.Environ(), "PROMPTFOO_CONFIG_DIR="+home, "PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1",
		"PROMPTFOO_DISABLE_REMOTE_GENERATION=true", fmt.Sprint("PROMPTFOO_FAILED_TEST_EXIT_CODE=", failedCode))
	_, took, err := timed(c)
	if c.ProcessState != nil && c.ProcessState.ExitCode() == failedCode {
		took.cpu, took.peak, err = c.ProcessState.UserTime()+c.ProcessState.SystemTime(), peak(c.ProcessState), nil
	}
	if err != nil {
		return took, err
	}
	return took, peerRight(result, n)
}

// peerRight makes sure that the peer did the same work.
func peerRight(result string, n int) error {
	text, err := os.ReadFile(result)
	if err != nil {
		return err
	}
	var report struct {
		Results struct {
			Stats struct{ Successes, Failures, Errors int }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return fmt.Errorf("the peer's report: %w", err)
	}
	if s := report.Results.Stats; s.Successes != six.Passing(n) || s.Successes+s.Failures != n {
		return fmt.Errorf("the peer: %d pass, %d fail, %d errors of %d; want %d to pass", s.Successes, s.Failures, s.Errors, n, six.Passing(n))
	}
	return nil
}

// install brings a peer into the cache, once.
func install(ctx context.Context, o options) (string, error) {
	version, ok := peers[o.peer]
	if !ok {
		return "", fmt.Errorf("no peer %q is known", o.peer)
	}
	dir := filepath.Join(o.cache, o.peer+"-"+version)
	program := filepath.Join(dir, "node_modules", ".bin", o.peer)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "installing %s %s\n", o.peer, version)
	c := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", dir, o.peer+"@"+version)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("install %s: %w", o.peer, err)
	}
	return program, nil
}
