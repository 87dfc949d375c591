package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"newel"
	"newel/store/storetest"
)

var ctx = context.Background()

func TestMain(m *testing.M) { storetest.Main(m, openAt) }

// openAt opens the store in a folder of a place, which is made if need be.
func openAt(place string) (newel.Store, error) {
	s, err := Open(ctx, filepath.Join(place, "runs", "newel.db"), Options{})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func at(t testing.TB, place string) *Store {
	t.Helper()
	s, err := openAt(place)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*Store)
}

func fresh(t testing.TB) newel.Store { return at(t, t.TempDir()) }

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, fresh)
}

func TestLastingStore(t *testing.T) {
	t.Parallel()
	storetest.Lasting(t, openAt)
}

func TestAJournalOfAMillionEntries(t *testing.T) {
	t.Parallel()
	if os.Getenv("NEWEL_LONG") == "" {
		t.Skip("this takes minutes: set NEWEL_LONG=1")
	}
	s := at(t, t.TempDir())
	defer closed(t, s)
	storetest.Million(t, s)
	if err := s.CheckSeal(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	moneyAddsUp(t, s)
}
