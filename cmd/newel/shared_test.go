package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // another program's way into the file
)

func TestTwoRunsIntoOneStoreAtTheSameTimeAreBothRight(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := t.TempDir()
	var both []*process
	for _, id := range []string{"x", "y"} {
		both = append(both, begin(t, dir, "run", exampleSuite(t), "--id="+id, storeIn(dir), "-q"))
	}
	for _, p := range both {
		wantCode(t, p.wait(), exitPassed)
	}
	sealedAs(t, want, dir)
	if y := whole(t, dir, "y"); y.Digest != want {
		t.Errorf("the other's report digest is %s, want %s", y.Digest, want)
	}
}

// Whoever is quicker has the run; the other is told so, or comes late enough
// to find it sealed.
func TestTwoProcessesThatTakeOneIdAtTheSameTime(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	for i := range times(2, 10) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var both []*process
			for range 2 {
				both = append(both, begin(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q"))
			}
			passed := 0
			for _, p := range both {
				switch got := p.wait(); {
				case got.code == exitPassed:
					passed++
				case got.code != exitUsage || !strings.Contains(got.err, "held by another process"):
					t.Errorf("exit %d\n%s", got.code, got.err)
				}
			}
			if passed == 0 {
				t.Error("neither ran")
			}
			sealedAs(t, want, dir)
		})
	}
}

func TestFollowersOfARunAllReturnItsVerdict(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := t.TempDir()
	p := begin(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	waitForRows(t, p, dir, 1).Close()
	followers := []*process{begin(t, dir, "follow", "x", storeIn(dir), "-q"), begin(t, dir, "follow", "x", storeIn(dir), "-q")}
	wantCode(t, p.wait(), exitPassed)
	for _, f := range followers {
		wantCode(t, f.wait(), exitPassed)
	}
	sealedAs(t, want, dir)
}

// other opens the database as another program would.
func other(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", dbIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// The lock outlasts the time that the store waits for it.
func TestADatabaseLockedByAnotherProgramLosesNothing(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := t.TempDir()
	lines := exampleLines(t)
	suite := copyOfExample(t, dir, lines)
	killWhilePlanning(t, dir, suite)
	db := other(t, dir)
	execute(t, db, "BEGIN EXCLUSIVE")
	got := must(t, dir, exitIncomplete, "resume", "x", storeIn(dir), "-q")
	if !strings.Contains(got.err, "locked by another program") {
		t.Errorf("it says\n%s", got.err)
	}
	execute(t, db, "ROLLBACK")
	must(t, dir, exitPassed, "resume", "x", storeIn(dir), "-q")
	sealedAs(t, want, dir)
}

func TestALockThatIsShortIsWaitedFor(t *testing.T) {
	t.Parallel()
	want, _ := undisturbed(t)
	dir := t.TempDir()
	p := begin(t, dir, "run", exampleSuite(t), "--id=x", storeIn(dir), "-q")
	waitForRows(t, p, dir, 1).Close()
	db := other(t, dir)
	execute(t, db, "PRAGMA busy_timeout = 60000")
	execute(t, db, "BEGIN EXCLUSIVE")
	execute(t, db, "ROLLBACK")
	wantCode(t, p.wait(), exitPassed)
	sealedAs(t, want, dir)
}

func TestAFileThatIsNoStoreIsRefusedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	files := map[string]struct {
		make func(t *testing.T, dir string)
		says string
	}{
		"a text": {func(t *testing.T, dir string) {
			write(t, dir, "newel.db", strings.Repeat("This is not a database. ", 1000))
		}, "not a newel store"},
		"another program's database": {func(t *testing.T, dir string) {
			execute(t, other(t, dir), "CREATE TABLE theirs (x)")
		}, "not a newel store"},
		"a store of a newer version": {func(t *testing.T, dir string) {
			must(t, dir, exitPassed, "run", exampleSuite(t), "--id=x", "--limit=2", "--rubric=overlap", storeIn(dir), "-q")
			db := other(t, dir)
			var version int
			if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
				t.Fatal(err)
			}
			execute(t, db, fmt.Sprintf("PRAGMA user_version = %d", version+1))
			execute(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
		}, "written by a newer newel"},
		"a folder": {func(t *testing.T, dir string) {
			if err := os.Mkdir(dbIn(dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "it is a folder"},
	}
	for name, tt := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tt.make(t, dir)
			before, _ := os.ReadFile(dbIn(dir)) // of a folder, nothing
			for _, args := range [][]string{{"run", exampleSuite(t)}, {"resume", "x"}, {"runs"}, {"report", "x"}, {"import", exampleSuite(t)}} {
				got := ran(t, dir, append(args, storeIn(dir))...)
				if (got.code != exitIncomplete && got.code != exitUsage) || (args[0] != "import" && !strings.Contains(got.err, tt.says)) || got.out != "" {
					t.Errorf("%v: exit %d\n%s%s", args, got.code, got.err, got.out)
				}
			}
			if after, _ := os.ReadFile(dbIn(dir)); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}
