package newel

import "context"

type lastPass struct{}

// LastPass marks ctx as that of a run's last pass over its items: what fails now
// is not tried again.
func LastPass(ctx context.Context) context.Context { return context.WithValue(ctx, lastPass{}, true) }

// IsLastPass reports whether ctx is of a run's last pass.
func IsLastPass(ctx context.Context) bool { return ctx.Value(lastPass{}) != nil }
