package gateway

import (
	"net/http"
	"testing"
	"time"
)

func TestEachFormOfAReset(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		name, text string
		want       time.Duration
	}{
		{"seconds left", "60", time.Minute},
		{"a part of a second", "0.5", 500 * time.Millisecond},
		{"milliseconds", "6ms", 6 * time.Millisecond},
		{"minutes and seconds", "1m2s", 62 * time.Second},
		{"a duration with spaces", "1m 2s", 62 * time.Second},
		{"an instant", "2026-11-29T12:00:05Z", 5 * time.Second},
		{"a Unix time", "1795953610", 10 * time.Second},
		{"a Unix time in milliseconds", "1795953610500", 10500 * time.Millisecond},
		{"an instant that is over", "2026-11-29T11:00:00Z", 0},
		{"below zero", "-3", 0},
		{"not a number", "NaN", 0},
		{"infinite", "Inf", 24 * time.Hour},
		{"a year", "31536000", 24 * time.Hour},
		{"words", "soon", 0},
		{"nothing", "", 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := resetIn(tc.text, now)
			if d := got - tc.want; d < -time.Millisecond || d > time.Millisecond {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

func TestEachFormOfRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		name    string
		headers map[string]string
		want    time.Duration
	}{
		{"seconds", map[string]string{"Retry-After": "3"}, 3 * time.Second},
		{"a part of a second", map[string]string{"Retry-After": "1.5"}, 1500 * time.Millisecond},
		{"a date", map[string]string{"Retry-After": "Sun, 29 Nov 2026 12:00:09 GMT"}, 9 * time.Second},
		{"a date that is over", map[string]string{"Retry-After": "Sun, 29 Nov 2026 11:00:09 GMT"}, 0},
		{"milliseconds come first", map[string]string{"Retry-After": "3", "Retry-After-Ms": "20"}, 20 * time.Millisecond},
		{"the provider's, behind LiteLLM", map[string]string{"Llm_provider-Retry-After": "4"}, 4 * time.Second},
		{"a negative one", map[string]string{"Retry-After": "-4"}, 0},
		{"none", nil, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := &response{header: http.Header{}, now: now}
			for name, v := range tc.headers {
				r.header.Set(name, v)
			}
			if got := retryAfter(r); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}
