package lint

import "strings"

// Module is the path that all packages of this repository begin with.
const Module = "newel"

// row says what one folder may import of this module. A folder is written from
// the root, which is "."; a trailing /... takes in the folders below.
type row struct {
	folder string
	may    []string // folders that any file may import
	tests  []string // folders that tests may import besides
	only   []string // modules from outside; nil: any that go.mod requires
}

// everything lets a package import all others.
var everything = []string{"./..."}

// nothing from outside but the standard library.
var nothing = []string{}

// table is the import table of the design. The longest folder that fits a
// package is its row; a package without one may not exist.
var table = []row{
	{folder: ".", only: []string{"github.com/go-json-experiment/json"}},

	{folder: "expr", may: []string{"."}},
	{folder: "check/...", may: []string{".", "expr", "check/..."}},
	{folder: "target", may: []string{"."}},

	{folder: "paid", may: []string{"."}, tests: []string{"store/memory", "bench/upstream"}},
	{folder: "gateway", may: []string{"."}, tests: []string{"bench/upstream"}},
	{folder: "gateway/realtest", only: nothing, tests: []string{".", "gateway", "bench/upstream"}},
	{folder: "judge", may: []string{".", "gateway", "paid"}, tests: []string{"suite", "data", "bench/upstream"}},

	{folder: "ladder", may: []string{"."}},
	{folder: "pack", may: []string{"."}},
	{folder: "data", may: []string{".", "expr"}},

	{folder: "stat/...", may: []string{"stat/..."}, only: nothing},
	{folder: "stat/cmd/simulate", may: []string{".", "ladder", "gate", "stat/..."}, only: []string{"github.com/klauspost/compress"}},
	{folder: "gate", may: []string{".", "stat"}, tests: []string{"ladder"}},
	{folder: "report/...", may: []string{"."}, tests: []string{"report/..."}},

	{folder: "work", may: []string{".", "ladder", "pack"}, tests: []string{"store/memory"}},
	{folder: "store/...", may: []string{"."}, tests: []string{"store/storetest"}},
	{folder: "runner/...", may: []string{"."}, tests: []string{"runner/runnertest"}},
	{folder: "eval", may: []string{".", "stat", "pack", "gate"}, tests: []string{"ladder", "work", "runner/local", "store/memory"}},
	{folder: "suite", may: []string{".", "expr", "check/...", "target", "ladder", "pack", "data", "stat", "gate", "eval", "paid", "gateway", "judge"}},

	{folder: "cmd/newel", may: everything},
	{folder: "bench/...", may: []string{".", "check", "bench/..."}},
	{folder: "internal/...", may: []string{"internal/..."}, only: nothing},
}

// rowOf returns the row of a folder: the longest that fits.
func rowOf(folder string) (row, bool) {
	best, found := row{}, false
	for _, r := range table {
		if fits(r.folder, folder) && (!found || len(r.folder) > len(best.folder)) {
			best, found = r, true
		}
	}
	return best, found
}

// fits reports whether pattern, which may end in /..., takes in folder.
func fits(pattern, folder string) bool {
	base, below := strings.CutSuffix(pattern, "/...")
	if !below {
		return pattern == folder
	}
	return base == "." || folder == base || strings.HasPrefix(folder, base+"/")
}

func fitsAny(patterns []string, folder string) bool {
	for _, p := range patterns {
		if fits(p, folder) {
			return true
		}
	}
	return false
}
