package expr

import (
	"math"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// mixedArithmetic lets a number of JSON, a double, meet a whole number: CEL
// compares the two but does not add them, and so would make
// output_json.amount + 1 an error for every output. Where both types are known
// when the expression is compiled, CEL's own rule stands.
func mixedArithmetic() cel.ProgramOption {
	return cel.Functions(
		arithmetic(operators.Add, func(l, r ref.Val) ref.Val {
			if a, ok := l.(traits.Adder); ok {
				return a.Add(r)
			}
			return types.MaybeNoSuchOverloadErr(l)
		}),
		arithmetic(operators.Subtract, func(l, r ref.Val) ref.Val {
			if a, ok := l.(traits.Subtractor); ok {
				return a.Subtract(r)
			}
			return types.MaybeNoSuchOverloadErr(l)
		}),
		arithmetic(operators.Multiply, func(l, r ref.Val) ref.Val {
			if a, ok := l.(traits.Multiplier); ok {
				return a.Multiply(r)
			}
			return types.MaybeNoSuchOverloadErr(l)
		}),
		arithmetic(operators.Divide, func(l, r ref.Val) ref.Val {
			if a, ok := l.(traits.Divider); ok {
				return a.Divide(r)
			}
			return types.MaybeNoSuchOverloadErr(l)
		}),
		&functions.Overload{Operator: operators.Modulo, Binary: modulo},
	)
}

func arithmetic(operator string, op functions.BinaryOp) *functions.Overload {
	return &functions.Overload{Operator: operator, Binary: func(l, r ref.Val) ref.Val {
		l, r = sameNumbers(l, r)
		return op(l, r)
	}}
}

// sameNumbers turns the whole number of a mixed pair into a double.
func sameNumbers(l, r ref.Val) (ref.Val, ref.Val) {
	if i, ok := l.(types.Int); ok {
		if _, mixed := r.(types.Double); mixed {
			return types.Double(i), r
		}
	}
	if i, ok := r.(types.Int); ok {
		if _, mixed := l.(types.Double); mixed {
			return l, types.Double(i)
		}
	}
	return l, r
}

// modulo takes doubles that are whole for the whole numbers that they are.
func modulo(l, r ref.Val) ref.Val {
	l, r = wholeDouble(l), wholeDouble(r)
	if m, ok := l.(traits.Modder); ok {
		return m.Modulo(r)
	}
	return types.MaybeNoSuchOverloadErr(l)
}

func wholeDouble(v ref.Val) ref.Val {
	if d, ok := v.(types.Double); ok && float64(d) == math.Trunc(float64(d)) && math.Abs(float64(d)) < 1<<53 {
		return types.Int(d)
	}
	return v
}
