package data

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Stamp tells the state of all files of the set: their names, sizes and times
// of last change. A file that differs later, or another list of them, gives
// another stamp.
func (s *Set) Stamp() (string, error) {
	var b strings.Builder
	for _, src := range s.list {
		files := src.files
		if src.join != nil {
			files = append(files[:len(files):len(files)], src.join.files...)
		}
		for _, f := range files {
			info, err := f.at.stat()
			if err != nil {
				return "", fmt.Errorf("%s: %w", f.shown, err)
			}
			fmt.Fprintf(&b, "%s %d %d\n", f.shown, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String(), nil
}

func (p place) stat() (os.FileInfo, error) { return p.in.root.Stat(filepath.FromSlash(p.path)) }
