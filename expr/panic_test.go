package expr

import (
	"errors"
	"testing"
)

func TestAConstantWithoutAValueIsAMistake(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`{b"": 0} == {}`, `{b"a": 1}`} {
		_, err := Compile(src, CaseScope)
		var wrong *CompileError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: got %v, want a mistake in the expression", src, err)
		}
	}
}
