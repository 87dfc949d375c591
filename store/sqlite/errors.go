package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// What can be wrong with the file. Whatever the error, writes that were
// acknowledged before are kept and the one that failed left nothing behind.
var (
	ErrLocked   = errors.New("locked by another program: wait for it or end it, then do this again")
	ErrFull     = errors.New("the disk is full: make room, then do this again")
	ErrReadOnly = errors.New("cannot be written: check the permissions of the file and its folder, or name another file")
	ErrNotStore = errors.New("not a newel store: name another file")
	ErrNewer    = errors.New("written by a newer newel: update this one")
	ErrDamaged  = errors.New("damaged: restore the file from a copy")
)

// explain finds the error that tells a person what to do and keeps the one
// that SQLite or the system gave.
func explain(err error) error {
	kind := kindOf(err)
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w (%w)", kind, err)
}

func kindOf(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	}
	code, ok := sqliteCode(err)
	if !ok {
		return nil
	}
	if code == lib.SQLITE_IOERR_SHMSIZE { // no room for the log's index
		return ErrFull
	}
	switch code & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return ErrLocked
	case lib.SQLITE_FULL:
		return ErrFull
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return ErrReadOnly
	case lib.SQLITE_NOTADB:
		return ErrNotStore
	case lib.SQLITE_CORRUPT:
		return ErrDamaged
	}
	return nil
}

// sqliteCode returns SQLite's extended result code.
func sqliteCode(err error) (int, bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}

// isBusy reports whether another connection was in the way.
func isBusy(err error) bool {
	code, ok := sqliteCode(err)
	return ok && (code&0xff == lib.SQLITE_BUSY || code&0xff == lib.SQLITE_LOCKED)
}
