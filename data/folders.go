package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Folders are the places that files may come from: the suite's folder, and
// those that the user added with --data-root. Nothing outside of them is
// opened, neither by name nor through a link.
type Folders struct {
	list []*folder // the suite's first
}

type folder struct {
	shown string // as the user wrote it
	abs   string
	real  string // abs with its links followed
	root  *os.Root
}

// place is a file in a folder: a clean slash path relative to it.
type place struct {
	in   *folder
	path string
}

// dir is the folder that p stands in, for the paths that its records hold.
func (p place) dir() place { return place{p.in, path.Dir(p.path)} }

// exists reports whether there is something of that name, be it a link.
func (p place) exists() bool {
	_, err := os.Lstat(filepath.Join(p.in.real, filepath.FromSlash(p.path)))
	return err == nil
}

// OpenFolders opens the suite's folder and the data roots. Close them after
// the last read.
func OpenFolders(suite string, roots ...string) (*Folders, error) {
	f := &Folders{}
	for _, dir := range append([]string{suite}, roots...) {
		one, err := openFolder(dir)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open folder %s: %w", dir, err), f.Close())
		}
		f.list = append(f.list, one)
	}
	return f, nil
}

func openFolder(dir string) (*folder, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &folder{shown: dir, abs: abs, real: real, root: root}, nil
}

// Close closes the folders.
func (f *Folders) Close() error {
	var all error
	for _, one := range f.list {
		all = errors.Join(all, one.root.Close())
	}
	return all
}

// Open opens a file by its path relative to the suite's folder; what is not
// there is looked for in the data roots, in their order.
func (f *Folders) Open(name string) (*os.File, error) {
	at, err := f.find(name)
	if err != nil {
		return nil, err
	}
	return f.open(at)
}

// suite is the suite's folder as a place that paths are relative to.
func (f *Folders) suite() place { return place{f.list[0], "."} }

// find resolves a path of the suite.
func (f *Folders) find(name string) (place, error) {
	at, err := f.resolve(f.suite(), name)
	if err != nil || filepath.IsAbs(name) {
		return at, err
	}
	for _, one := range f.list {
		if at.in == f.list[0] && (place{one, at.path}).exists() {
			return place{one, at.path}, nil
		}
	}
	return at, nil
}

// resolve returns where name leads from base, and an error when that is in no
// folder. It looks at the text only; open looks at links.
func (f *Folders) resolve(base place, name string) (place, error) {
	if name == "" {
		return place{}, errors.New("the path is empty")
	}
	if strings.ContainsRune(name, 0) {
		return place{}, fmt.Errorf("path %q has a NUL character", name)
	}
	if filepath.IsAbs(filepath.FromSlash(name)) || strings.HasPrefix(name, "/") {
		if at, ok := within(filepath.Clean(name), f.list[1:]); ok {
			return at, nil
		}
		return place{}, fmt.Errorf("path %q is absolute: write it relative to the file it stands in, or name its folder with --data-root", name)
	}
	joined := path.Join(base.path, filepath.ToSlash(name))
	if joined != ".." && !strings.HasPrefix(joined, "../") {
		return place{base.in, joined}, nil
	}
	if at, ok := within(filepath.Join(base.in.abs, filepath.FromSlash(joined)), f.list); ok {
		return at, nil
	}
	return place{}, fmt.Errorf("path %q leaves the suite's folder: move the file into it, or name its folder with --data-root", name)
}

// within finds the folder that holds an absolute path.
func within(abs string, list []*folder) (place, bool) {
	for _, one := range list {
		for _, dir := range []string{one.abs, one.real} {
			rel, err := filepath.Rel(dir, abs)
			if err == nil && filepath.IsLocal(rel) {
				return place{one, filepath.ToSlash(rel)}, true
			}
		}
	}
	return place{}, false
}

// open opens a file. A link is followed as long as it ends in one of the
// folders; os.Root holds even when a link is swapped meanwhile.
func (f *Folders) open(at place) (*os.File, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(at.in.real, filepath.FromSlash(at.path)))
	if err != nil {
		return nil, unwrapPath(err)
	}
	to, ok := within(real, f.list)
	if !ok {
		return nil, errors.New("is a link that leaves the suite's folder: copy the file into it, or name its folder with --data-root")
	}
	// Asked first, because to open a pipe waits for who writes to it, and to
	// open a device may do something.
	info, err := to.in.root.Stat(filepath.FromSlash(to.path))
	if err != nil {
		return nil, unwrapPath(err)
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	file, err := to.in.root.Open(filepath.FromSlash(to.path))
	if err != nil {
		return nil, unwrapPath(err)
	}
	if info, err = file.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// regular returns an error for what is not a regular file.
func regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("is a folder: name its files, such as *.jsonl")
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}

// unwrapPath takes the absolute path out of an error: it differs from machine
// to machine, and who reports the error names the file.
func unwrapPath(err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no such file%w", silent{fs.ErrNotExist})
	case errors.As(err, &p):
		return p.Err
	}
	return err
}

// silent keeps an error for errors.Is without showing it.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// nearby says which file may have been meant by one that is not there.
func (f *Folders) nearby(at place) string {
	dir, err := at.in.root.Open(filepath.FromSlash(path.Dir(at.path)))
	if err != nil {
		return fmt.Sprintf("; there is no folder %s", path.Dir(at.path))
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(1000)
	var names []string
	for _, e := range entries {
		if _, _, ok := formatOf(e.Name()); ok && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return didYouMeanFile(path.Base(at.path), names)
}
