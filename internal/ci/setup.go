package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// tools builds the programs that the module tools pins and returns their
// folder. A folder is for one version of all and of Go; a built one stays.
func (s *session) tools(ctx context.Context) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version(), runtime.GOARCH)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(s.root, "tools", name))
		if err != nil {
			return "", err
		}
		hash.Write(text)
	}
	bin := filepath.Join(s.cache, fmt.Sprintf("tools-%x", hash.Sum(nil)[:8]))
	done := filepath.Join(bin, "built")
	if _, err := os.Stat(done); err == nil {
		return bin, nil
	}
	fmt.Fprintln(s.out, "building the tools, once")
	if _, err := s.output(ctx, []string{"GOBIN=" + bin}, "go", "-C", "tools", "install", "tool"); err != nil {
		return "", err
	}
	return bin, os.WriteFile(done, nil, 0o644)
}

// errAbsent says that a program is not here and cannot be installed.
var errAbsent = errors.New("not installed")

// find returns the first of programs that is here, installing one of packages
// where this is a Debian and we may.
func (s *session) find(ctx context.Context, programs, packages []string) (string, error) {
	if path, ok := first(programs); ok {
		return path, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil || !s.superuser {
		return "", fmt.Errorf("%s: %w (Debian has it in %s)", programs[0], errAbsent, packages[0])
	}
	fmt.Fprintf(s.out, "installing %s\n", packages[0])
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	if _, err := s.output(ctx, env, "apt-get", "update", "-q"); err != nil {
		return "", err
	}
	var last error
	for _, p := range packages {
		_, last = s.output(ctx, env, "apt-get", "install", "-q", "-y", "--no-install-recommends", p)
		if path, ok := first(programs); ok {
			return path, nil
		}
	}
	return "", errors.Join(fmt.Errorf("%s: %w", programs[0], errAbsent), last)
}

func first(programs []string) (string, bool) {
	for _, p := range programs {
		if path, err := exec.LookPath(p); err == nil {
			return path, true
		}
	}
	return "", false
}
