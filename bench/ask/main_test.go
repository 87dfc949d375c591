package main

import (
	"fmt"
	"testing"

	"newel/bench/upstream"
)

func TestEachPostIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{})
	if err := run([]string{s.URL, "100", "7"}); err != nil {
		t.Fatal(err)
	}
	if c := s.Counts(); c.Requests != 100 || c.Paid != 100 || c.Most > 7 {
		t.Errorf("%+v", c)
	}
}

func TestARefusalIsTold(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Status: 500})})
	if err := run([]string{s.URL, "1", "1"}); fmt.Sprint(err) != "HTTP 500" {
		t.Errorf("got %v", err)
	}
}
