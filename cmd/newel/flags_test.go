package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	long := strings.Repeat("v", 100_000)
	for _, tt := range []struct{ line, says string }{
		{"run SUITE --workers=0", "--workers 0: it is from 1 to 10000; leave it out for the number of processors"},
		{"run SUITE --workers -3", "--workers -3: it is from 1 to 10000"},
		{"plan SUITE --workers=10001", "--workers 10001: it is from 1 to 10000"},
		{"resume x --workers=0", "--workers 0"},
		{"follow x --workers=-1", "--workers -1"},
		{"run SUITE --workers=99999999999999999999", "not a whole number"},
		{"run SUITE --workers=NaN", "not a whole number"},
		{"run SUITE --limit=0", "--limit 0: it is at least 1; leave it out for all cases"},
		{"plan SUITE --limit=-1", "--limit -1: it is at least 1"},
		{"show x --limit=-1", "--limit -1: it is at least 0; 0 shows all"},
		{"runs --limit=-1", "--limit -1: it is at least 0; 0 lists all"},
		{"diff x x --limit=-1", "--limit -1: it is at least 0; 0 lists all"},
		{"run SUITE --id=", "--id is empty"},
		{"run SUITE --id=last", "--id last: the word means the newest run"},
		{"run SUITE --id=main.newel", "an id does not end in .newel or .db"},
		{"run SUITE --id=newel.db", "an id does not end in .newel or .db"},
		{"run SUITE --id=" + long, "has at most 100"},
		{"run SUITE --label=a=" + long, "its value has 100,000 characters, at most 256"},
		{"run SUITE --label=" + long + "=a", "its key has 100,000 characters, at most 64"},
		{"run SUITE --label=" + long, "write key=value"},
		{"run SUITE --label=a=b\x1b[2J", "printable characters only"},
		{"run SUITE --label=a\x00=b", "printable characters only"},
		{"run SUITE --label=a=\xff", "printable characters only"},
		{"run SUITE --label=", "--label is empty"},
		{"run SUITE" + strings.Repeat(" --label=a=b", 65), "at most 64; these are 65"},
		{"runs --label=a=" + long, "at most 256"},
		{"run SUITE --baseline=", "--baseline is empty"},
		{"run SUITE --where=", "--where is empty"},
		{"run SUITE --rubric=", "--rubric is empty"},
		{"run SUITE --outputs-from=", "--outputs-from is empty"},
		{"gate x --gate=", "--gate is empty"},
		{"report x --out=", "--out is empty"},
		{"export x --out=", "--out is empty"},
		{"runs --store=", "--store is empty"},
	} {
		got := s.words(exitUsage, tt.line)
		holds(t, got.err, tt.says)
		if got.out != "" || len(got.err) > 1000 {
			t.Errorf("%.80s: prints %q, and %d bytes of error", tt.line, got.out, len(got.err))
		}
	}
	for variable, says := range map[string]string{"NEWEL_WORKERS=0": "NEWEL_WORKERS: 0: it is from 1 to 10000", "NEWEL_LIMIT=-1": "NEWEL_LIMIT: -1: it is at least 1"} {
		holds(t, s.with([]string{variable}, exitUsage, "run", "SUITE").err, says)
	}
	if list := s.words(exitPassed, "runs --json"); strings.Count(list.out, `"id"`) != 1 {
		t.Errorf("a refused command left a run behind:\n%s", list.out)
	}
}

func TestOptionsAtTheirBoundsAreTaken(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	s.words(exitPassed, "run SUITE --workers=1 --limit=1 --id=lasting.newels -q --label="+strings.Repeat("ä", 64)+"="+strings.Repeat("ß", 256))
	s.words(exitPassed, "show lasting --limit=0")
	s.with([]string{"NEWEL_ID=", "NEWEL_WORKERS="}, exitPassed, "run", "SUITE", "-q")
}

func TestAStoreThatCanBeNoneIsUsage(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	link := filepath.Join(s.dir, "null.db")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skipf("SKIPPED: there are no links here: %v", err)
	}
	file := write(t, s.dir, "file", "text")
	for _, tt := range []struct{ store, says string }{
		{os.DevNull, "it is a device"},
		{link, "it is a device"},
		{s.dir, "it is a folder"},
		{file, "not a newel store"},
		{filepath.Join(file, "newel.db"), "is a file, not a folder"},
		{filepath.Join(file, "deep", "newel.db"), "is a file, not a folder"},
	} {
		for _, args := range [][]string{{"run", s.suite}, {"runs"}, {"show", "last"}, {"import", filepath.Join(s.dir, "gone.newel")}} {
			got := runApp(t, nil, append(args, "--store=sqlite:"+tt.store)...)
			if args[0] == "import" {
				tt.says = "there is no file"
			}
			wantCode(t, got, exitUsage, append(args, tt.store)...)
			holds(t, got.err, tt.says)
		}
	}
}

func TestImportSaysWhatIsWrongWithTheFile(t *testing.T) {
	t.Parallel()
	s := newShop(t, 8, "")
	s.words(exitPassed, "run SUITE --id=x -q")
	s.words(exitPassed, "run SUITE --id=y -q")
	s.words(exitPassed, "export x --out=DIR/x.newel -q")
	write(t, s.dir, "text", strings.Repeat("no database ", 100))
	write(t, s.dir, "empty", "")
	for _, tt := range []struct{ file, says string }{
		{"DIR/gone", "there is no file"},
		{"DIR", "is a folder"},
		{os.DevNull, "is a device"},
		{"DIR/text", "not a newel store"},
		{"DIR/empty", "is empty"},
		{"DIR/text/x", "not a directory"},
		{"DIR/newel.db", "it holds 2 sealed runs, not one"},
		{"DIR/x.newel", "is in sqlite:"},
	} {
		got := s.do(exitUsage, "import", tt.file)
		holds(t, got.err, tt.says)
		if strings.Contains(got.err, "baseline") {
			t.Errorf("import %s speaks of a baseline: %s", tt.file, got.err)
		}
	}
	if info, err := os.Stat(filepath.Join(s.dir, "empty")); err != nil || info.Size() != 0 {
		t.Errorf("an empty file was written to: %v, %v", info, err)
	}
}
