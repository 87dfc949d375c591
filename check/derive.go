package check

import (
	"sync"

	"newel"
)

// Derived is something made from a text parameter, such as a compiled regular
// expression: once when the parameter is constant, else once for each text
// among the last few hundred.
type Derived[T any] struct {
	arg     Arg[string]
	fixed   T
	compile func(text string) (T, error)
	cache   *cache[T]
}

// Derive compiles a text parameter. A constant that does not compile is a
// mistake at its place; one from the case is an error of kind definition.
func Derive[T any](a *Args, name string, arg Arg[string], compile func(text string) (T, error)) *Derived[T] {
	d := &Derived[T]{arg: arg, compile: compile, cache: newCache[T](cacheSize)}
	text, constant := arg.Constant()
	if !constant || !arg.Set() {
		return d
	}
	v, err := compile(text)
	if err != nil {
		a.Wrong(a.nodes[name].Pos, "%s: %s: %v", a.spec.Name, name, err)
	}
	d.fixed = v
	return d
}

// At returns the compiled parameter for s.
func (d *Derived[T]) At(s *newel.Subject) (T, error) {
	if _, constant := d.arg.Constant(); constant {
		return d.fixed, nil
	}
	var zero T
	text, err := d.arg.At(s)
	if err != nil {
		return zero, err
	}
	v, err := d.cache.get(text, d.compile)
	if err != nil {
		return zero, &ParamError{err.Error()}
	}
	return v, nil
}

// cacheSize is how many compiled texts a check keeps.
const cacheSize = 256

// cache keeps what was compiled from the texts seen last; when full, it starts
// anew with the younger half.
type cache[T any] struct {
	mu         sync.Mutex
	size       int
	young, old map[string]compiled[T]
}

type compiled[T any] struct {
	value T
	err   error
}

func newCache[T any](size int) *cache[T] {
	return &cache[T]{size: size, young: map[string]compiled[T]{}}
}

func (c *cache[T]) get(text string, compile func(string) (T, error)) (T, error) {
	c.mu.Lock()
	got, ok := c.young[text]
	if !ok {
		got, ok = c.old[text]
	}
	c.mu.Unlock()
	if ok {
		return got.value, got.err
	}
	got.value, got.err = compile(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young) >= c.size/2 {
		c.old, c.young = c.young, map[string]compiled[T]{}
	}
	c.young[text] = got
	return got.value, got.err
}
