package expr

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// adapter turns decoded JSON into CEL's values. A number is a double; one that
// a float64 does not hold is an int, as far as it is whole and has 64 bits.
type adapter struct{}

func (a adapter) NativeToValue(v any) ref.Val {
	switch v := v.(type) {
	case nil:
		return types.NullValue
	case ref.Val:
		return v
	case bool:
		return types.Bool(v)
	case string:
		return types.String(v)
	case float64:
		return types.Double(v)
	case json.Number:
		return numberValue(v)
	case []any:
		return types.NewDynamicList(a, v)
	case map[string]any:
		return types.NewStringInterfaceMap(a, v)
	case *caseVars:
		return types.NewStringInterfaceMap(a, v.all())
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

func numberValue(n json.Number) ref.Val {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return types.Int(i)
	}
	f, err := n.Float64()
	if err != nil {
		return types.NewErr("%s is out of range", n)
	}
	return types.Double(f)
}

// toJSON turns a result into plain JSON.
func toJSON(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Null:
		return nil, nil
	case types.Bool:
		return bool(v), nil
	case types.String:
		return string(v), nil
	case types.Double:
		return finite(float64(v))
	case types.Int:
		return wholeNumber(int64(v)), nil
	case types.Uint:
		if v > math.MaxInt64 {
			return json.Number(strconv.FormatUint(uint64(v), 10)), nil
		}
		return wholeNumber(int64(v)), nil
	case traits.Lister:
		return listToJSON(v)
	case traits.Mapper:
		return mapToJSON(v)
	}
	return nil, fmt.Errorf("gives a %s, which is no JSON: convert it with string(…)", v.Type().TypeName())
}

func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("gives %v, which is no JSON number", f)
	}
	return f, nil
}

// wholeNumber is a float64 where that holds n, else a json.Number.
func wholeNumber(n int64) any {
	if f := float64(n); f < 1<<53 && f > -1<<53 {
		return f
	}
	return json.Number(strconv.FormatInt(n, 10))
}

func listToJSON(list traits.Lister) (any, error) {
	size, _ := list.Size().(types.Int)
	out := make([]any, 0, size)
	for i := types.Int(0); i < size; i++ {
		v, err := toJSON(list.Get(i))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func mapToJSON(m traits.Mapper) (any, error) {
	out := map[string]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, ok := key.ConvertToType(types.StringType).(types.String)
		if !ok {
			return nil, fmt.Errorf("gives a map with a key that is no text")
		}
		v, err := toJSON(m.Get(key))
		if err != nil {
			return nil, err
		}
		out[string(name)] = v
	}
	return out, nil
}

// kindOf names what a result is, for messages.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a map"
	}
	return "a number"
}
