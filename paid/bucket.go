package paid

import "time"

// Rate bounds what is asked a minute; 0: no bound.
type Rate struct {
	RPM int64 // calls
	TPM int64 // tokens, in and out
}

// bucket is a token bucket that holds what a second brings, so that no minute
// sees noticeably more than its rate. A nil bucket has no bound.
type bucket struct {
	second float64 // how much comes in a second
	level  float64 // below zero where more was used than estimated
	at     time.Time
}

func newBucket(perMinute int64, now time.Time) *bucket {
	if perMinute <= 0 {
		return nil
	}
	b := &bucket{second: float64(perMinute) / 60, at: now}
	b.level = b.most()
	return b
}

// most is what the bucket holds: a single call fits into the slowest.
func (b *bucket) most() float64 { return max(b.second, 1) }

// until returns how long it takes for n to be there. What the bucket never
// holds is let through when it is full.
func (b *bucket) until(now time.Time, n int64) time.Duration {
	if b == nil {
		return 0
	}
	if d := now.Sub(b.at); d > 0 {
		b.level, b.at = min(b.level+d.Seconds()*b.second, b.most()), now
	}
	lacks := min(float64(n), b.most()) - b.level
	if lacks <= 1e-9 {
		return 0
	}
	return time.Duration(lacks/b.second*float64(time.Second)) + 1
}

// take removes n, or with n < 0 gives back what was not used.
func (b *bucket) take(n int64) {
	if b != nil {
		b.level = min(b.level-float64(n), b.most())
	}
}
