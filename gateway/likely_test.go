package gateway

import (
	"testing"

	"newel"
)

func TestLikelyCosts(t *testing.T) {
	t.Parallel()
	c, err := New(Options{URL: "http://127.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	const in, out = 150_000, 600_000 // gpt-4o-mini, a token
	tests := []struct {
		name string
		body Body
		want newel.Money
	}{
		{"four characters a token and a usual answer", Body{Model: "gpt-4o-mini", Chars: 4001, Max: 1024}, 1001*in + 200*out},
		{"an answer that may not be so long", Body{Model: "gpt-4o-mini", Chars: 4000, Max: 16}, 1000*in + 16*out},
		{"an answer without a bound", Body{Model: "gpt-4o-mini"}, 200 * out},
		{"a file", Body{Model: "gpt-4o-mini", media: []*Media{{}}}, 1000*in + 200*out},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, known := c.Likely(tt.body)
			worst, _ := c.Worst(tt.body)
			if least, known := c.Least(tt.body); !known || least <= 0 || least > got {
				t.Errorf("at least %s, likely %s", least, got)
			}
			if got != tt.want || !known || got > worst {
				t.Errorf("%s, %t, want %s; at worst %s", got, known, tt.want, worst)
			}
		})
	}
	if got, known := c.Likely(Body{Model: "in-house", Chars: 1}); known || got != 0 {
		t.Errorf("a model without a price costs %s", got)
	}
}
