package lint

import (
	"path"
	"strconv"
	"strings"
)

// Imports returns where the repository departs from the import table.
func Imports(r *Repository) []string {
	var found []string
	for _, p := range r.Packages {
		row, ok := rowOf(p.Folder)
		if !ok {
			found = append(found, p.Folder+": no row in the import table; say in internal/lint/table.go what it may import")
			continue
		}
		for _, f := range p.Files {
			for _, spec := range f.Tree.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					continue
				}
				if why := row.refuse(p.Folder, name, f.Test); why != "" {
					found = append(found, r.at(spec.Pos(), "%s", why))
				}
			}
		}
	}
	return found
}

// refuse returns why a file of folder may not import name, or nothing.
func (w row) refuse(folder, name string, test bool) string {
	of, ours := folderOf(name)
	switch {
	case ours && of == folder && test:
		return ""
	case ours && (fitsAny(w.may, of) || test && fitsAny(w.tests, of)):
		return ""
	case ours && test && len(w.tests) > 0:
		return folder + " may not import " + name + ", not even in tests"
	case ours:
		return folder + " may not import " + name
	case w.only == nil || test || standard(name) || allowed(w.only, name):
		return ""
	}
	return folder + " may not import " + name + " from outside the standard library"
}

// folderOf returns the folder of an import of this module.
func folderOf(name string) (string, bool) {
	if name == Module {
		return ".", true
	}
	below, ok := strings.CutPrefix(name, Module+"/")
	return path.Clean(below), ok
}

// standard reports whether an import is of the standard library: its first
// element has no dot.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

func allowed(modules []string, name string) bool {
	for _, m := range modules {
		if name == m || strings.HasPrefix(name, m+"/") {
			return true
		}
	}
	return false
}
