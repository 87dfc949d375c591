package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// A Package is what lies in one folder: the files of a package and its tests.
type Package struct {
	Folder string // from the root, with slashes; "." is the root
	Files  []File
}

// File is one parsed file of Go.
type File struct {
	Path string
	Test bool
	Tree *ast.File
}

// Main reports whether the package is a command.
func (p Package) Main() bool {
	for _, f := range p.Files {
		if !f.Test {
			return f.Tree.Name.Name == "main"
		}
	}
	return false
}

// Repository is all of the module's code.
type Repository struct {
	Fset     *token.FileSet
	Packages []Package
}

// Read parses every file of Go under root that belongs to the module, whatever
// its build constraints. Nested modules and testdata are left out.
func Read(root fs.FS) (*Repository, error) {
	r := &Repository{Fset: token.NewFileSet()}
	at := map[string]int{}
	err := walk(root, func(name string) error {
		if path.Ext(name) != ".go" || strings.Contains("/"+name, "/testdata/") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(r.Fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		if _, ok := at[folder]; !ok {
			at[folder] = len(r.Packages)
			r.Packages = append(r.Packages, Package{Folder: folder})
		}
		p := &r.Packages[at[folder]]
		p.Files = append(p.Files, File{Path: name, Test: strings.HasSuffix(name, "_test.go"), Tree: tree})
		return nil
	})
	return r, err
}

// walk calls visit with each regular file under root, but for hidden folders
// and nested modules. Hidden files, and the folder .ci, are visited.
func walk(root fs.FS, visit func(name string) error) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && skipped(root, name, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular():
			return visit(name)
		}
		return nil
	})
}

func skipped(root fs.FS, name, base string) bool {
	if strings.HasPrefix(base, ".") {
		return base != ".ci"
	}
	_, err := fs.Stat(root, path.Join(name, "go.mod"))
	return err == nil
}

// at formats a finding with its place.
func (r *Repository) at(pos token.Pos, format string, args ...any) string {
	p := r.Fset.Position(pos)
	return fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...))
}
