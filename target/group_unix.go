//go:build unix

package target

import (
	"io/fs"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command and its children. A group that is gone is no error.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func runnable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
