package storetest

import (
	"testing"

	"newel"
)

var fileChecks = []check{
	{"a file is kept by its content", func(t *testing.T, s newel.Store) {
		want := []byte("\x89PNG\x00\xff")
		first := must(s.PutFile(ctx, want))(t)
		same(t, "hash", newel.HashOf(want), first)
		same(t, "hash of the same once more", first, must(s.PutFile(ctx, want))(t))
		same(t, "content", want, must(s.File(ctx, first))(t))
		empty := must(s.PutFile(ctx, nil))(t)
		same(t, "an empty file", []byte{}, must(s.File(ctx, empty))(t))
	}},
	{"a file that nobody put is not found", func(t *testing.T, s newel.Store) {
		_, err := s.File(ctx, newel.HashOf([]byte("other")))
		wantErr(t, newel.ErrNotFound, err)
	}},
}
