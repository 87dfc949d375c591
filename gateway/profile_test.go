package gateway

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func TestProfile(t *testing.T) {
	t.Parallel()
	usd := func(m newel.Money) newel.Charge { return newel.Charge{Gateway: &m, Source: "gateway_header"} }
	ms := func(f float64) *float64 { return &f }
	n := func(i int) *int { return &i }
	for _, test := range []struct {
		name  string
		field field
		value string
		want  newel.Call
	}{
		{"dollars are taken as they are", field{fact: "cost", unit: "usd"}, "1.5e-3", newel.Call{Cost: usd(1_500_000_000)}},
		{"cents are hundredths", field{fact: "cost", unit: "cents"}, "0.15", newel.Call{Cost: usd(1_500_000_000)}},
		{"micro-dollars are millionths", field{fact: "cost", unit: "microusd"}, "1500", newel.Call{Cost: usd(1_500_000_000)}},
		{"None is no amount", field{fact: "cost", unit: "usd"}, "None", newel.Call{}},
		{"nor is one below zero", field{fact: "cost", unit: "usd"}, "-1", newel.Call{}},
		{"nor is one without end", field{fact: "cost", unit: "usd"}, "Infinity", newel.Call{}},
		{"a missing header is nothing", field{fact: "cost", unit: "usd"}, "", newel.Call{}},
		{"unless the table says what it means", field{fact: "fallback", absent: "0"}, "", newel.Call{Fallback: "no", FallbackIndex: n(0)}},
		{"an index above 0 is a fallback", field{fact: "fallback"}, "1", newel.Call{Fallback: "yes", FallbackIndex: n(1)}},
		{"seconds become milliseconds", field{fact: "total_incl_retries", unit: "s"}, "1.25", newel.Call{GatewayMS: ms(1250), GatewayScope: "total_incl_retries"}},
		{"a provider's time stays apart", field{fact: "cumulative", unit: "ms"}, "80", newel.Call{UpstreamMS: ms(80), UpstreamScope: "cumulative"}},
		{"NaN is no time", field{fact: "to_headers", unit: "ms"}, "NaN", newel.Call{}},
		{"more than one attempt may be a fallback or not", field{fact: "attempts"}, "2", newel.Call{UpstreamAttempts: n(2), AttemptsExact: true}},
		{"no attempt at all is no count", field{fact: "attempts"}, "0", newel.Call{}},
		{"a word of a cache", field{fact: "cache"}, "Bypass", newel.Call{Cache: "bypass"}},
		{"a word that nobody knows", field{fact: "cache"}, "maybe", newel.Call{Cache: "unknown"}},
		{"a model", field{fact: "model"}, "m", newel.Call{ModelUsed: "m", ModelSource: "header"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := test.field
			f.header = "X-Some"
			r := &response{header: http.Header{}}
			if test.value != "" {
				r.header.Set("X-Some", test.value)
			}
			var got newel.Call
			profile{fields: []field{f}}.read(r, &got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
