package expr

import (
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// maxText is how long a text may be, in bytes, that a call makes of shorter
// ones. As many pairs of elements compared are far past CostLimit.
const maxText = 4 << 20

// growth tells before a call about how long a text it makes, in bytes, or how
// many pairs of elements it compares; it may stop counting past maxText.
type growth func(args []ref.Val) int

// growing are the functions whose results or work grow faster than what they
// are given. CEL charges a call once it has been made.
func growing(name string) growth {
	switch name {
	case "replace":
		return replaced
	case "join":
		return joined
	case "format":
		return formatted
	case "distinct", "sets.contains", "sets.equivalent", "sets.intersects":
		return compared
	}
	return nil
}

// boundedGrowth refuses, with a LimitError, the calls whose growth would be
// more than maxText.
func boundedGrowth(env *cel.Env) (cel.ProgramOption, error) {
	var bounded []*functions.Overload
	for name, declared := range env.Functions() {
		size := growing(name)
		if size == nil {
			continue
		}
		overloads, err := declared.Bindings()
		if err != nil {
			return nil, err
		}
		for _, o := range overloads {
			bounded = append(bounded, size.bound(o))
		}
	}
	return cel.Functions(bounded...), nil
}

// bound returns an overload that asks for its size first.
func (size growth) bound(o *functions.Overload) *functions.Overload {
	b := *o
	if o.Unary != nil {
		b.Unary = func(v ref.Val) ref.Val {
			if size([]ref.Val{v}) > maxText {
				return types.WrapErr(&LimitError{CostLimit})
			}
			return o.Unary(v)
		}
	}
	if o.Binary != nil {
		b.Binary = func(l, r ref.Val) ref.Val {
			if size([]ref.Val{l, r}) > maxText {
				return types.WrapErr(&LimitError{CostLimit})
			}
			return o.Binary(l, r)
		}
	}
	if o.Function != nil {
		b.Function = func(args ...ref.Val) ref.Val {
			if size(args) > maxText {
				return types.WrapErr(&LimitError{CostLimit})
			}
			return o.Function(args...)
		}
	}
	return &b
}

// replaced is for text.replace(old, new) and text.replace(old, new, most).
func replaced(args []ref.Val) int {
	if len(args) < 3 {
		return 0
	}
	text, ok1 := args[0].(types.String)
	old, ok2 := args[1].(types.String)
	by, ok3 := args[2].(types.String)
	if !ok1 || !ok2 || !ok3 {
		return 0
	}
	count := strings.Count(string(text), string(old))
	if len(args) > 3 {
		if most, ok := args[3].(types.Int); ok && most >= 0 {
			count = int(min(types.Int(count), most))
		}
	}
	return len(text) + count*(len(by)-len(old))
}

// joined is for list.join() and list.join(separator).
func joined(args []ref.Val) int {
	if len(args) == 0 {
		return 0
	}
	list, ok := args[0].(traits.Lister)
	if !ok {
		return 0
	}
	between := 0
	if len(args) > 1 {
		between = textSize(args[1], maxText)
	}
	return listSize(list, between, maxText)
}

// formatted is for text.format(list). A verb writes its value once.
func formatted(args []ref.Val) int {
	if len(args) < 2 {
		return 0
	}
	return textSize(args[0], maxText) + textSize(args[1], maxText)
}

// compared is for list.distinct() and the comparisons of two sets.
func compared(args []ref.Val) int {
	if len(args) == 0 {
		return 0
	}
	return elements(args[0]) * elements(args[len(args)-1])
}

func elements(v ref.Val) int {
	if list, ok := v.(traits.Lister); ok {
		if n, ok := list.Size().(types.Int); ok {
			return int(n)
		}
	}
	return 0
}

// textSize is how long the texts in a value are together, counted until they
// are longer than most.
func textSize(v ref.Val, most int) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	case traits.Lister:
		return listSize(v, 1, most)
	case traits.Mapper:
		size := 0
		for it := v.Iterator(); it.HasNext() == types.True && size <= most; {
			key := it.Next()
			size += 1 + textSize(key, most-size)
			if value, ok := v.Find(key); ok {
				size += textSize(value, most-size)
			}
		}
		return size
	}
	return 1
}

func listSize(list traits.Lister, between, most int) int {
	size := 0
	for it := list.Iterator(); it.HasNext() == types.True && size <= most; {
		if size > 0 {
			size += between
		}
		size += textSize(it.Next(), most-size)
	}
	return size
}
