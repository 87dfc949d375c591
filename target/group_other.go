//go:build !unix

package target

import (
	"io/fs"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup ends the command itself: this system has no process groups.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func runnable(fs.FileInfo) bool { return true }
