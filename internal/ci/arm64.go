package main

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
)

// numeric are the packages whose numbers decide verdicts: in CI all of their
// tests run on arm64.
var numeric = []string{".", "./check/...", "./expr", "./pack", "./ladder", "./gate", "./eval", "./suite"}

// vectors finds tests that compare with numbers or digests written down
// before, in any package.
var vectors = regexp.MustCompile(`^Test\w*(Golden|Vector)`)

// arm64 runs what must give the same bits on every processor on an emulated
// arm64, where Go may fuse a product with a sum.
func (s *session) arm64(ctx context.Context) (tally, error) {
	emulator, err := s.find(ctx, []string{"qemu-aarch64-static", "qemu-aarch64"}, []string{"qemu-user-static", "qemu-user"})
	if errors.Is(err, errAbsent) && !s.ci {
		var t tally
		t.skip("arm64", err.Error())
		return t, nil
	}
	if err != nil {
		return tally{}, err
	}
	env := []string{"GOARCH=arm64", "CGO_ENABLED=0"}
	base := []string{"-vet=off", "-exec=" + emulator}
	found, err := s.functions(vectors)
	if err != nil {
		return tally{}, err
	}
	folders := slices.Sorted(maps.Keys(found))
	total, err := s.test(ctx, env, "arm64 ", slices.Concat(base, []string{"-run=" + vectors.String()}, folders)...)
	if err != nil || !s.ci {
		return total, err
	}
	whole, err := s.test(ctx, env, "arm64 ", slices.Concat(base, []string{"-skip=" + vectors.String()}, numeric)...)
	total.add(whole)
	return total, err
}
