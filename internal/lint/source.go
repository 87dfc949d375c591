package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// surroundings are what a process is given: only commands read them.
var surroundings = map[string][]string{
	"os":                     {"Args", "Environ", "Exit", "ExpandEnv", "Getenv", "LookupEnv", "Setenv", "Unsetenv"},
	"syscall":                {"Environ", "Exit", "Getenv", "Setenv"},
	"flag":                   nil, // all of it
	"github.com/spf13/pflag": nil,
	"github.com/spf13/cobra": nil,
}

// Surroundings returns where anything but a command, or a test, reads flags or
// the environment or ends the process. A package of shared tests, named
// …test, counts as a test.
func Surroundings(r *Repository) []string {
	var found []string
	for _, p := range r.Packages {
		if p.Main() || strings.HasSuffix(path.Base(p.Folder), "test") {
			continue
		}
		for _, f := range p.Files {
			if !f.Test {
				found = append(found, r.touched(f)...)
			}
		}
	}
	return found
}

func (r *Repository) touched(f File) []string {
	var found []string
	local := map[string]string{} // name in this file → import path
	for _, spec := range f.Tree.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		words, watched := surroundings[name]
		if err != nil || !watched {
			continue
		}
		if words == nil {
			found = append(found, r.at(spec.Pos(), "only a command may use %s", name))
			continue
		}
		short := path.Base(name)
		if spec.Name != nil {
			short = spec.Name.Name
		}
		local[short] = name
	}
	ast.Inspect(f.Tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		for _, word := range surroundings[local[of.Name]] {
			if sel.Sel.Name == word {
				found = append(found, r.at(sel.Pos(), "only a command may use %s.%s", of.Name, word))
			}
		}
		return true
	})
	return found
}

// Inits returns the functions named init, which run before a reader can see
// them.
func Inits(r *Repository) []string {
	var found []string
	for _, p := range r.Packages {
		for _, f := range p.Files {
			for _, d := range f.Tree.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					found = append(found, r.at(fn.Pos(), "no init functions: build it where it is used"))
				}
			}
		}
	}
	return found
}

// Changing returns the places that assign to a package's variable, to an
// element of one or to a field of one. A change through a method or a pointer
// is not seen. Tests may; so may what is made once, on first use, in a variable
// that holds its own sync.Once.
func Changing(r *Repository) []string {
	var found []string
	for _, p := range r.Packages {
		var files []*ast.File
		for _, f := range p.Files {
			if !f.Test {
				files = append(files, f.Tree)
			}
		}
		found = append(found, r.changed(files)...)
	}
	return found
}

func (r *Repository) changed(files []*ast.File) []string {
	// Imports are not resolved: what names mean inside the package is enough.
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, Importer: unresolved{}}
	pkg, _ := config.Check("p", r.Fset, files, info) // what does not resolve is an error here
	if pkg == nil {
		return nil
	}
	once := madeOnce(files)
	var found []string
	for _, f := range files {
		for _, target := range assigned(f) {
			id := rootOf(target)
			if id == nil {
				continue
			}
			v, ok := info.Uses[id].(*types.Var)
			if ok && v.Parent() == pkg.Scope() && !once[v.Pos()] {
				found = append(found, r.at(id.Pos(), "the package variable %s changes", id.Name))
			}
		}
	}
	return found
}

// assigned returns what a file assigns to.
func assigned(f *ast.File) []ast.Expr {
	var targets []ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				targets = append(targets, n.Lhs...)
			}
		case *ast.IncDecStmt:
			targets = append(targets, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				targets = append(targets, n.Key, n.Value)
			}
		}
		return true
	})
	return targets
}

// madeOnce returns where variables are declared that hold a sync.Once.
func madeOnce(files []*ast.File) map[token.Pos]bool {
	found := map[token.Pos]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && v.Type != nil && mentions(v.Type, "sync", "Once") {
					for _, name := range v.Names {
						found[name.Pos()] = true
					}
				}
			}
		}
	}
	return found
}

// mentions reports whether of.word stands anywhere in e.
func mentions(e ast.Expr, of, word string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && id.Name == of && sel.Sel.Name == word
		}
		return !found
	})
	return found
}

// rootOf returns the variable that an assignment's left side begins with.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch at := e.(type) {
		case *ast.Ident:
			return at
		case *ast.IndexExpr:
			e = at.X
		case *ast.SelectorExpr:
			e = at.X
		case *ast.StarExpr:
			e = at.X
		case *ast.ParenExpr:
			e = at.X
		default:
			return nil
		}
	}
}

// unresolved stands in for every import.
type unresolved struct{}

func (unresolved) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}
