package check

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"newel"
)

// The run family measures the target's own call: what stands in the case's
// run, recorded with the output or noted when it was fetched.

func latencySpec() *Spec {
	return &Spec{
		Name: "latency", Family: "run", Metric: true,
		About: "How long the target took to answer, in milliseconds (run.latency_ms). Without min or max it only reports.",
		Params: []Param{
			{Name: "min", Type: "number of milliseconds, or a duration such as 1.5s", About: "passes from this value on"},
			{Name: "max", Type: "number of milliseconds, or a duration such as 1.5s", About: "passes up to this value"},
		},
		Example: "latency: {max: 2s}",
		Build: func(a *Args) Func {
			return runMetric("the latency in ms", boundsIn(a, readMillis), runNumber("latency_ms"))
		},
	}
}

func costSpec() *Spec {
	return &Spec{
		Name: "cost", Family: "run", Metric: true,
		About:   "What the target's own call cost, in US dollars (run.cost_usd). Without min or max it only reports.",
		Params:  boundParams,
		Example: "cost: {max: 0.002}",
		Build: func(a *Args) Func {
			return runMetric("the cost in USD", BoundsOf(a), runNumber("cost_usd"))
		},
	}
}

func usageSpec() *Spec {
	return &Spec{
		Name: "usage", Family: "run", Main: "of", Metric: true,
		About: "A number of the target's own usage record (run.usage), tokens above all. total_tokens is taken as written, else as the sum of input_tokens and output_tokens, or of prompt_tokens and completion_tokens. Without min or max it only reports.",
		Params: append([]Param{
			{Name: "of", Type: "text", About: "which number: a path within run.usage", Default: "total_tokens"},
		}, boundParams...),
		Example: "usage: {of: output_tokens, max: 800}",
		Build: func(a *Args) Func {
			of := fixedOf(a, "of", "total_tokens", readText)
			read := runNumber("usage." + of)
			if of == "total_tokens" {
				read = totalTokens
			}
			return runMetric("the usage ("+of+")", BoundsOf(a), read)
		},
	}
}

func runMetric(what string, bounds Bounds, read func(s *newel.Subject) (float64, error)) Func {
	return func(_ context.Context, s *newel.Subject) newel.Score {
		v, err := read(s)
		if err != nil {
			return Because(err)
		}
		return bounds.Judge(s, what, v)
	}
}

// runNumber reads a number of run. One that is not there, or null because it
// is not known, is an error of the case.
func runNumber(name string) func(s *newel.Subject) (float64, error) {
	steps := strings.Split(name, ".")
	return func(s *newel.Subject) (float64, error) {
		run, err := s.Lookup(runPath)
		if err != nil {
			return 0, err
		}
		v, ok := newel.Walk(run, steps)
		if !ok || v == nil {
			return 0, &newel.MissingError{Path: "run." + name}
		}
		f, ok := newel.Float(v)
		if !ok {
			return 0, &ParamError{"run." + name + " is " + kindOf(v) + ", not a number"}
		}
		return f, nil
	}
}

// runPath is the path of run.
var runPath = func() newel.Path {
	p, err := newel.ParsePath("run")
	if err != nil {
		panic("check: " + err.Error())
	}
	return p
}()

// totalTokens reads the total of a usage record in any of the usual forms.
func totalTokens(s *newel.Subject) (float64, error) {
	total, err := runNumber("usage.total_tokens")(s)
	var missing *newel.MissingError
	if !errors.As(err, &missing) {
		return total, err
	}
	for _, pair := range [][2]string{{"input_tokens", "output_tokens"}, {"prompt_tokens", "completion_tokens"}} {
		in, inErr := runNumber("usage." + pair[0])(s)
		out, outErr := runNumber("usage." + pair[1])(s)
		if inErr == nil && outErr == nil {
			return in + out, nil
		}
	}
	return 0, err
}

// readMillis reads a number of milliseconds or a duration.
func readMillis(v any) (float64, error) {
	text, ok := v.(string)
	if !ok {
		return readNumber(v)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("is a number of milliseconds or a duration such as 1.5s, not %s", show(text))
	}
	return float64(d) / float64(time.Millisecond), nil
}
