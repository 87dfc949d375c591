package main

import (
	"os"
	"path/filepath"
	"testing"
)

// beside runs the command in the shop's folder, so that names of files are
// those in it.
func (s *shop) beside(code int, args ...string) call {
	s.t.Helper()
	return must(s.t, s.dir, code, append([]string{storeIn(s.dir)}, args...)...)
}

// A file named like a run never takes the run's place unsaid.
func TestARunIsTakenBeforeAFileOfItsName(t *testing.T) {
	t.Parallel()
	s := newShop(t, 120, againstBaseline)
	s.words(exitPassed, "run SUITE --id=v1 --no-baseline --label=of=old -q")
	s.words(exitPassed, "run SUITE --id=v2.0 --no-baseline -q")
	s.words(exitPassed, "run SUITE --id=new --no-baseline -q")
	s.words(exitPassed, "export new --out=DIR/elsewhere.newel -q")
	file, err := os.ReadFile(filepath.Join(s.dir, "elsewhere.newel"))
	ok(t, err)
	for _, name := range []string{"v1", "v2.0", "v3", "v3.1", "last", "of=old"} {
		write(t, s.dir, name, string(file))
	}
	const said = "is taken as the run of that id"
	for _, tt := range []struct {
		name, against string
		said          string
	}{
		{"v1", "against v1\n", ""},
		{"v2.0", "against v2.0\n", "v2.0 is taken as the run of that id; for the file of that name write ./v2.0"},
		{"last", "against v2.0\n", ""},
		{"of=old", "against v1 (of=old)", ""},
		{"./v1", "against v1\n", ""},
		{"./v2.0", "against v2.0\n", ""},
		{"./of=old", "against of=old\n", ""},
		{"v3.1", "against v3.1\n", ""},
		{"elsewhere.newel", "against elsewhere.newel\n", ""},
	} {
		got := s.beside(exitPassed, "gate", "new", "--baseline="+tt.name)
		holds(t, got.out, tt.against)
		if tt.said == "" && got.err != "" || tt.said != "" && got.err != "newel: "+tt.said+"\n" {
			t.Errorf("%s: it says %q, want %q", tt.name, got.err, tt.said)
		}
	}
	got := s.beside(exitPassed, "run", "suite.yaml", "--id=newer", "--baseline=v2.0", "-q")
	if got.err != "newel: v2.0 "+said+"; for the file of that name write ./v2.0\n" {
		t.Errorf("a run says %q", got.err)
	}
	holds(t, s.beside(exitUsage, "gate", "new", "--baseline=v3").err, `there is no run "v3"`, "for the file of that name write ./v3")
	holds(t, s.beside(exitUsage, "diff", "v3", "new").err, `there is no run "v3"`, "write ./v3")
	holds(t, s.beside(exitPassed, "diff", "v2.0", "new").err, "v2.0 "+said)
	holds(t, s.beside(exitUsage, "gate", "new", "--baseline=./gone").err, "there is no file ./gone")
	holds(t, s.beside(exitUsage, "gate", "new", "--baseline=.").err, `there is no run "."`)
	holds(t, s.beside(exitUsage, "gate", "new", "--baseline="+os.DevNull).err, "is a device")
}
