package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"newel"
)

// HoldRun locks a file named for the run in a folder beside the database. The
// system lets go of it when the process ends, however it ends. It reaches the
// processes of this machine. The run need not exist yet.
func (s *Store) HoldRun(ctx context.Context, id string) (release func() error, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	dir := s.path + ".locks"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.fail("hold run", err)
	}
	lock, err := hold(filepath.Join(dir, url.PathEscape(id)+".lock"))
	if err != nil {
		return nil, s.fail("hold run", fmt.Errorf("run %q: %w", id, err))
	}
	return sync.OnceValue(func() error { return s.fail("release run", letGo(lock)) }), nil
}

// tries bounds how often a lock file may vanish under us: each time another
// process held it and let go in between.
const tries = 100

// hold locks the file at path. Whoever lets go removes the file, so the file
// locked may no longer be the one that others find under the name.
func hold(path string) (*flock.Flock, error) {
	for range tries {
		lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errors.Join(newel.ErrHeld, lock.Close())
		}
		if same(lock, path) {
			return lock, nil
		}
		if err := lock.Close(); err != nil {
			return nil, err
		}
	}
	return nil, newel.ErrHeld
}

func same(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(locked, named)
}

// letGo removes the file while it is still locked. Where an open file cannot
// be removed it stays behind, empty.
func letGo(lock *flock.Flock) error {
	err := os.Remove(lock.Path())
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, lock.Close())
}
