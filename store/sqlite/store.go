// Package sqlite keeps runs in one SQLite file: the store of a laptop, a CI job
// and a single server. Several processes may use the file at once.
//
// It stores what it is given and says what is there. What the bytes of a row,
// a chunk or a summary mean is left to those who write them.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"modernc.org/sqlite"
)

// Options are the settings of a store. The zero value is the default.
type Options struct {
	// Wait is how long to wait for another program that holds the database;
	// default 10 s.
	Wait time.Duration
	// Clock gives the instants that the store writes; default time.Now.
	Clock func() time.Time
}

const (
	defaultWait = 10 * time.Second
	// readers is how many connections read at the same time.
	readers = 4
	// walPages is the length at which the write-ahead log is copied into the
	// database: 4 MiB in SQLite's pages of 4 KiB. A single transaction may take it
	// further; afterwards it is cut back to walLimit bytes.
	walPages = 1024
	walLimit = 4 << 20
)

// Store is a newel.Store in a SQLite file.
type Store struct {
	path   string
	clock  func() time.Time
	codec  codec
	db     *sql.DB // of the writer's one connection
	writer *writer
	rd     *sql.DB
	reads  *statements
}

// Open opens the store at path. A missing file and its folder are created, for
// the owner only. The errors to branch on are ErrLocked, ErrFull, ErrReadOnly,
// ErrNotStore, ErrNewer and ErrDamaged.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	s, err := open(ctx, path, opt)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %q: %w", path, explain(err))
	}
	return s, nil
}

func open(ctx context.Context, path string, opt Options) (*Store, error) {
	abs, err := place(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: abs, clock: opt.Clock}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.codec, err = newCodec(); err != nil {
		return nil, err
	}
	if err := s.connect(ctx, opt.Wait); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// place returns the absolute path of the file, whose folder exists then.
func place(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	switch {
	case err == nil && info.IsDir():
		return "", fmt.Errorf("%w: it is a folder", ErrNotStore)
	case err == nil && !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: it is a device, pipe or socket, not a file", ErrNotStore)
	}
	return abs, makeFolder(filepath.Dir(abs))
}

// makeFolder makes the folder of the file where it is missing.
func makeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	for at := dir; err != nil; at = filepath.Dir(at) {
		if info, gone := os.Stat(at); gone == nil && !info.IsDir() {
			return fmt.Errorf("%w: %s is a file, not a folder (%w)", ErrNotStore, at, err)
		}
		if at == filepath.Dir(at) {
			return err
		}
	}
	return nil
}

// connect opens the connection that writes and brings the schema up to date.
// Connections that read are opened when somebody reads.
func (s *Store) connect(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		wait = defaultWait
	}
	_, err := os.Stat(s.path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if s.db, err = s.pool(wait, 1, "synchronous(1)", "cache_size(-4000)"); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	s.writer = newWriter(conn, wait)
	if fresh {
		// No descriptor of ours may be closed on this file: that would drop
		// the locks that SQLite holds on it in this process.
		if err := os.Chmod(s.path, 0o600); err != nil {
			return err
		}
	}
	if err := prepare(ctx, conn, wait); err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // the writer waits in its own way
		return err
	}
	s.rd, err = s.pool(wait, readers, "query_only(1)", "cache_size(-1000)")
	s.reads = newStatements(s.rd)
	return err
}

// pool returns up to n connections with the pragmas.
func (s *Store) pool(wait time.Duration, n int, pragmas ...string) (*sql.DB, error) {
	q := url.Values{"_pragma": append([]string{
		"busy_timeout(" + strconv.FormatInt(wait.Milliseconds(), 10) + ")",
		"wal_autocheckpoint(" + strconv.Itoa(walPages) + ")",
		"journal_size_limit(" + strconv.Itoa(walLimit) + ")",
	}, pragmas...)}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(s.path), OmitHost: true, RawQuery: q.Encode()}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// URL names the file.
func (s *Store) URL() string { return "sqlite:" + s.path }

// Close waits for what is being written, copies the write-ahead log into the
// database unless another program still uses it, and closes the file. Runs
// that are held stay held until they are released.
func (s *Store) Close() error {
	var errs []error
	if s.rd != nil {
		errs = append(errs, s.reads.close(), s.rd.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	s.codec.close()
	return s.fail("close", errors.Join(errs...))
}

// now returns the store's clock as it is stored, in milliseconds.
func (s *Store) now() int64 { return s.clock().UnixMilli() }

// fail adds to an error what was attempted and on which file.
func (s *Store) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlite: %s %q: %w", op, s.path, explain(err))
}
