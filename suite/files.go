package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"newel"
)

// maxFile is how large a file that a suite names may be.
const maxFile = 16 << 20

// Files gives the files that a definition names: schemas, word lists, prompts.
// Their content travels with the definition.
type Files struct {
	root *os.Root // nil: only what is read already
	read map[string][]byte
	used map[string]bool // since somebody began to watch; nil: nobody does
	// apart are files that change no verdict, such as prices: they travel with the
	// definition and stand in no digest.
	apart map[string]bool
}

// OpenFiles gives files below dir, and none outside it, not by .. and not by a
// link.
func OpenFiles(dir string) (*Files, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Files{root: root, read: map[string][]byte{}}, nil
}

// StoredFiles gives files that came with a stored definition.
func StoredFiles(content map[string][]byte) *Files { return &Files{read: content} }

// Close lets go of the folder.
func (f *Files) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// Read returns a file of the suite's folder. Its errors begin with the name.
func (f *Files) Read(name string) ([]byte, error) {
	clean := path.Clean(filepath.ToSlash(name))
	if f.used != nil {
		f.used[clean] = true
	}
	if data, ok := f.read[clean]; ok {
		return data, nil
	}
	if f.root == nil {
		return nil, fmt.Errorf("%q is not among the files that were stored with the suite", name)
	}
	if filepath.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") {
		return nil, fmt.Errorf("%q leaves the suite's folder: copy the file into it", name)
	}
	data, err := f.load(clean)
	if err != nil {
		return nil, f.explain(name, err)
	}
	f.read[clean] = data
	return data, nil
}

// ReadApart is Read for a file that changes no verdict.
func (f *Files) ReadApart(name string) ([]byte, error) {
	used := f.used
	f.used = nil
	defer func() { f.used = used }()
	if f.apart == nil {
		f.apart = map[string]bool{}
	}
	f.apart[path.Clean(filepath.ToSlash(name))] = true
	return f.Read(name)
}

// maxFolder is how many files of a folder are read.
const maxFolder = 10_000

// ReadFolder reads every file below a folder, for Read to have them once the
// suite's folder is out of reach.
func (f *Files) ReadFolder(name string) error {
	if f.root == nil {
		return nil // what was needed came with the stored definition
	}
	clean := path.Clean(filepath.ToSlash(name))
	if filepath.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") {
		return fmt.Errorf("%q leaves the suite's folder: copy it there", name)
	}
	count := 0
	err := fs.WalkDir(f.root.FS(), clean, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if count++; count > maxFolder {
			return fmt.Errorf("%q holds more than %d files", name, maxFolder)
		}
		_, err = f.Read(at)
		return err
	})
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return f.explain(name, err)
	}
	return err
}

func (f *Files) load(clean string) ([]byte, error) {
	info, err := f.root.Stat(filepath.FromSlash(clean))
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder: name a file")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("has %d bytes; at most %d are read", info.Size(), maxFile)
	}
	return f.root.ReadFile(filepath.FromSlash(clean))
}

func (f *Files) explain(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%q is not in the suite's folder%s", name, f.near(name))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q may not be read: permission denied", name)
	case strings.Contains(err.Error(), "escapes from parent"): // os.Root has no error to compare with
		return fmt.Errorf("%q is a link that leaves the suite's folder: copy the file into it", name)
	}
	return fmt.Errorf("%q %w", name, err)
}

// near suggests a file of the same folder.
func (f *Files) near(name string) string {
	dir := path.Dir(filepath.ToSlash(name))
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return ""
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, path.Join(dir, e.Name()))
	}
	return newel.DidYouMean(path.Clean(filepath.ToSlash(name)), names)
}
