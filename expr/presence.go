package expr

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// presenceTests makes has(a.b.c) false when a or a.b is not there either, which
// in plain CEL is an error. tests holds the ids of the presence tests.
func presenceTests(tests map[int64]bool) cel.ProgramOption {
	return cel.CustomDecoratorV2(func(step interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		if attr, ok := step.(interpreter.InterpretableAttribute); ok && tests[step.ID()] {
			return &presenceTest{attr}, nil
		}
		return step, nil
	})
}

type presenceTest struct {
	interpreter.InterpretableAttribute
}

func (t *presenceTest) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	out := t.InterpretableAttribute.Exec(frame)
	if err, failed := out.(*types.Err); failed && isMissing(err) {
		return types.False
	}
	return out
}

func (t *presenceTest) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, t.Exec)
}
