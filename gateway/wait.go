package gateway

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"newel"
)

// maxWait bounds what a far end may ask for; more is a mistake in its clock.
const maxWait = 24 * time.Hour

// retryAfter reads how long the far end wants to be left alone, from any of the
// headers in use: milliseconds, seconds, a date. LiteLLM passes the provider's
// on under another name. 0: it does not say.
func retryAfter(r *response) time.Duration {
	for _, prefix := range []string{"", "Llm_provider-"} {
		if ms := r.headFloat(prefix + "Retry-After-Ms"); ms != nil {
			return bounded(*ms / 1000)
		}
		text := r.head(prefix + "Retry-After")
		if seconds := finite(text); seconds != nil {
			return bounded(*seconds)
		}
		if at, err := http.ParseTime(text); err == nil {
			return bounded(at.Sub(r.now).Seconds())
		}
	}
	return 0
}

func bounded(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	if seconds > maxWait.Seconds() {
		return maxWait
	}
	return time.Duration(seconds * float64(time.Second))
}

// windows are the names of limits by which a far end counts, as headers of both
// families have them.
var windows = []struct{ limit, remaining, reset string }{
	{"X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
	{"X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
	{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
	{"Anthropic-Ratelimit-Tokens-Limit", "Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
	{"Anthropic-Ratelimit-Input-Tokens-Limit", "Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
	{"Anthropic-Ratelimit-Output-Tokens-Limit", "Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
}

// limitReset returns when the limit that is used up is filled again; where none
// says that it is used up, the latest of all.
func limitReset(r *response) time.Duration {
	var used, latest time.Duration
	for _, w := range windows {
		wait := resetIn(r.head(w.reset), r.now)
		latest = max(latest, wait)
		if left := r.headInt(w.remaining); left != nil && *left <= 0 {
			used = max(used, wait)
		}
	}
	if used > 0 {
		return used
	}
	return latest
}

// resetIn reads a reset: seconds left (60, 0.5), a duration (6ms, 1m2s), an
// instant (RFC 3339, or a Unix time in seconds or milliseconds).
func resetIn(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		switch {
		case n > 1e11:
			return bounded(n/1000 - float64(now.UnixMilli())/1000)
		case n > 1e8:
			return bounded(n - float64(now.UnixMilli())/1000)
		}
		return bounded(n)
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil {
		return bounded(d.Seconds())
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return bounded(at.Sub(now).Seconds())
	}
	return 0
}

// limitsOf returns the limit of requests as the answer tells it, or of whatever
// it counts; nil: it tells none.
func limitsOf(r *response) *newel.Limits {
	for _, w := range windows {
		l := newel.Limits{Limit: r.headInt(w.limit), Remaining: r.headInt(w.remaining)}
		if wait := resetIn(r.head(w.reset), r.now); wait > 0 {
			ms := wait.Milliseconds()
			l.ResetMS = &ms
		}
		if l != (newel.Limits{}) {
			return &l
		}
	}
	return nil
}
