package gateway

import (
	"strings"
	"testing"

	"newel"
)

func TestNamesThatAreTooLongToBeOnesAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	c := newel.Call{ModelUsed: long, Finish: long, GuardrailNames: make([]string, 1000)}
	c.GuardrailNames[0] = long
	shortNames(&c)
	for _, name := range []string{c.ModelUsed, c.Finish, c.GuardrailNames[0]} {
		if len(name) > maxName+len("…") || !strings.HasPrefix(name, "éé") {
			t.Errorf("%d bytes", len(name))
		}
	}
	if len(c.GuardrailNames) > 32 {
		t.Errorf("%d names of guardrails", len(c.GuardrailNames))
	}
}
