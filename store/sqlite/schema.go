package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// application marks the file as a newel store ("newl" in ASCII).
const application = 0x6e65776c

// migrations lead from each schema version to the next; the version of a file
// is how many of them it has had. They only go forward: a line that has been
// released is never changed.
//
// Keys are not used again (AUTOINCREMENT), so a reader that has looked up a
// key can never meet the rows of a later run. Tables whose key is not a plain
// number are WITHOUT ROWID: one tree instead of two. Entries have numbers all
// the same: they are long and their call keys random, so that a tree of them by
// key would be written all over for each group.
//
// Accounts name their run by its id, for they outlive it: money is not
// forgotten, and entries of other stores' runs are kept too.
var migrations = [...]string{`
CREATE TABLE runs (
	key        INTEGER PRIMARY KEY AUTOINCREMENT,
	id         TEXT NOT NULL UNIQUE,
	suite      TEXT NOT NULL,
	dir        TEXT NOT NULL,
	labels     TEXT NOT NULL,
	runner     TEXT NOT NULL,
	state      TEXT NOT NULL,
	parent     TEXT NOT NULL,
	version    TEXT NOT NULL,
	created    INTEGER NOT NULL,
	started    INTEGER NOT NULL,
	sealed     INTEGER NOT NULL,
	plan       TEXT NOT NULL,
	digest     BLOB,
	seal       BLOB,
	definition BLOB,
	summary    BLOB
) STRICT;
CREATE TABLE blobs (
	hash    BLOB NOT NULL PRIMARY KEY,
	content BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE chunks (
	run      INTEGER NOT NULL,
	n        INTEGER NOT NULL,
	hash     BLOB NOT NULL,
	bodies   BLOB NOT NULL,
	first    INTEGER NOT NULL,
	items    INTEGER NOT NULL,
	segments INTEGER NOT NULL,
	n_done   INTEGER NOT NULL,
	pass     INTEGER NOT NULL,
	fail     INTEGER NOT NULL,
	unjudged INTEGER NOT NULL,
	error    INTEGER NOT NULL,
	done     BLOB NOT NULL,
	PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX chunks_hash ON chunks (hash);
CREATE INDEX chunks_bodies ON chunks (bodies);
CREATE TABLE segments (
	run   INTEGER NOT NULL,
	chunk INTEGER NOT NULL,
	seq   INTEGER NOT NULL,
	data  BLOB NOT NULL,
	PRIMARY KEY (run, chunk, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE outputs (
	run  INTEGER NOT NULL,
	item INTEGER NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (run, item)
) STRICT, WITHOUT ROWID;`, `
CREATE TABLE accounts (
	key      INTEGER PRIMARY KEY AUTOINCREMENT,
	run      TEXT NOT NULL UNIQUE,
	budget   INTEGER,
	spent    INTEGER NOT NULL,
	held     INTEGER NOT NULL,
	reserved INTEGER NOT NULL,
	open     INTEGER NOT NULL,
	calls    INTEGER NOT NULL,
	surplus  INTEGER NOT NULL,
	faults   INTEGER NOT NULL,
	unknown  INTEGER NOT NULL
) STRICT;
CREATE TABLE intents (
	account INTEGER NOT NULL,
	id      BLOB NOT NULL,
	key     BLOB NOT NULL,
	worst   INTEGER NOT NULL,
	PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
	id      INTEGER PRIMARY KEY,
	account INTEGER NOT NULL,
	key     BLOB NOT NULL,
	seq     INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	fault   INTEGER NOT NULL,
	good    INTEGER NOT NULL,
	cost    INTEGER,
	held    INTEGER NOT NULL,
	data    BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_own ON entries (account, key, seq);
CREATE INDEX entries_reuse ON entries (key, good, at) WHERE good = 1 AND seq = 0;
CREATE TABLE supplements (
	id      INTEGER PRIMARY KEY,
	account INTEGER NOT NULL,
	key     BLOB NOT NULL,
	seq     INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	cost    INTEGER NOT NULL,
	held    INTEGER NOT NULL,
	call    BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX supplements_own ON supplements (account, key, seq);`, `
CREATE TABLE files (
	hash    BLOB NOT NULL PRIMARY KEY,
	content BLOB NOT NULL
) STRICT;`,
}

// prepare checks that the file is a store of ours and brings its schema up to
// date. SQLite answers "busy" at once, whatever the timeout, to some of the
// steps when another process does the same; those are tried again for as long
// as wait.
func prepare(ctx context.Context, conn *sql.Conn, wait time.Duration) error {
	for start := time.Now(); ; {
		err := migrate(ctx, conn, migrations[:])
		if err == nil || !isBusy(err) || time.Since(start) > wait {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// migrate applies the steps that the file lacks, all in one transaction.
func migrate(ctx context.Context, conn *sql.Conn, steps []string) error {
	version, err := inspect(ctx, conn, len(steps))
	if err != nil || version == len(steps) {
		return err
	}
	if version == 0 {
		if err := useLog(ctx, conn); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := apply(ctx, conn, steps); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		return err
	}
	return nil
}

// useLog puts an empty file in WAL mode, which the file remembers.
func useLog(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("%w: this file system has no shared memory for a write-ahead log", ErrReadOnly)
	}
	return nil
}

// apply runs within a transaction, which another process may have been
// quicker to begin: what is missing is looked up again.
func apply(ctx context.Context, conn *sql.Conn, steps []string) error {
	version, err := inspect(ctx, conn, len(steps))
	if err != nil {
		return err
	}
	for _, step := range steps[version:] {
		if _, err := conn.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf(
		"PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", application, len(steps)))
	return err
}

// inspect returns the schema version of the file, 0 for an empty one.
func inspect(ctx context.Context, conn *sql.Conn, newest int) (int, error) {
	var app, version, tables int
	row := conn.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`)
	if err := row.Scan(&app, &version, &tables); err != nil {
		return 0, err
	}
	switch {
	case app == 0 && version == 0 && tables == 0:
		return 0, nil
	case app != application:
		return 0, fmt.Errorf("%w: it is the database of another program", ErrNotStore)
	case version > newest:
		return 0, fmt.Errorf("%w: schema %d, known up to %d", ErrNewer, version, newest)
	}
	return version, nil
}
