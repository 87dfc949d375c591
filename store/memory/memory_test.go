package memory_test

import (
	"testing"

	"newel"
	"newel/store/memory"
	"newel/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(testing.TB) newel.Store { return memory.New(nil) })
}
