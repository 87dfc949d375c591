package main

import (
	"strings"
	"testing"
)

func TestTheTableNamesWhatMissesTheBar(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	// With a bar of 0 every wrong draw is a miss.
	missed := table(&out, 3, 1, 2, 0)
	if got := strings.Count(out.String(), "  above the bar"); got != missed || missed == 0 {
		t.Errorf("want as many marks as misses and at least one, got %d and %d", got, missed)
	}
	if got := table(&out, 3, 1, 2, 1); got != 0 {
		t.Errorf("a bar of 1: want no miss, got %d", got)
	}
}
