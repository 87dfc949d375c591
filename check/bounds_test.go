package check

import (
	"testing"

	"newel"
)

func TestBoundsFarApart(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a large minimum is not met by a small value", `{"count": {"of": "a", "min": 9000000000}}`, "aaa", nil, "fail 3: the number of occurrences is 3, below the minimum of 9000000000"},
		{"a cost far below zero is not above zero", `{"cost": {"min": 9000000000}}`, "", costCase("-9000000000"), "fail -9000000000: the cost in USD is -9000000000, below the minimum of 9000000000"},
		{"a bound that no value reaches is an error of definition", `{"cost": {"max": {"from": "vars.m"}}}`, "", costCase("1"), "error definition: a bound is beyond what is compared: value 1e+12 is out of range (±9.2e9)"},
	})
}

func costCase(usd string) *newel.Case {
	c := varsCase("m", "1e12")
	c.Run = newel.Raw(`{"cost_usd": ` + usd + `}`)
	return c
}
