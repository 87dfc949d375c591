package check

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"newel"
)

// maxReasons is how many faults an explanation lists; the rest are counted.
const maxReasons = 3

// schemaReason is one fault: where in the value, and what. Of a wrong type, want
// and got say it in two parts.
type schemaReason struct{ where, what, want, got string }

func (r schemaReason) String() string {
	if r.where == "" {
		return r.what
	}
	return "at " + r.where + ": " + r.what
}

// noValue stands for a value that is not at hand.
type noValue struct{}

// schemaReasons returns the faults of a failed validation of v, in order of
// place; v may be noValue.
func schemaReasons(failed *jsonschema.ValidationError, v any) []schemaReason {
	g := &reasonGatherer{of: v, left: 10_000} // a failed validation can hold as many causes as it took steps
	list := g.gather(nil, failed)
	slices.SortFunc(list, func(a, b schemaReason) int {
		return cmp.Or(cmp.Compare(a.where, b.where), cmp.Compare(a.what, b.what))
	})
	return slices.Compact(list)
}

// reasonGatherer walks a failed validation in a bounded number of steps.
type reasonGatherer struct {
	of   any // what was validated
	left int
}

func (g *reasonGatherer) gather(list []schemaReason, e *jsonschema.ValidationError) []schemaReason {
	if g.left--; g.left < 0 {
		return list
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		if len(e.Causes) > 1 {
			return append(list, schemaReason{where: pointerOf(e.InstanceLocation), what: g.noneOf(e)})
		}
	}
	if len(e.Causes) == 0 {
		return append(list, g.reason(e))
	}
	for _, cause := range e.Causes {
		list = g.gather(list, cause)
	}
	return list
}

// reason words a fault without causes. A wrong type shows the value, where it
// is at hand: "want number, got "10" (string)".
func (g *reasonGatherer) reason(e *jsonschema.ValidationError) schemaReason {
	where := pointerOf(e.InstanceLocation)
	wrong, ok := e.ErrorKind.(*kind.Type)
	if !ok {
		return schemaReason{where: where, what: faultText(e.ErrorKind)}
	}
	r := schemaReason{where: where, want: strings.Join(wrong.Want, " or "), got: wrong.Got}
	v, found := newel.Walk(g.of, e.InstanceLocation)
	if _, absent := g.of.(noValue); absent {
		found = false
	}
	if found && v != nil && (jsonTypeOf(v) == wrong.Got || isJSONType(v, wrong.Got)) { // else it is of a name, which has no place
		r.got = Clip(show(v), 100) + " (" + wrong.Got + ")"
	}
	r.what = "want " + r.want + ", got " + r.got
	return r
}

// noneOf says of each alternative why it does not hold.
func (g *reasonGatherer) noneOf(e *jsonschema.ValidationError) string {
	var reasons []string
	for _, cause := range e.Causes {
		for _, r := range g.gather(nil, cause) {
			if r.where == pointerOf(e.InstanceLocation) {
				r.where = ""
			}
			reasons = append(reasons, r.String())
		}
	}
	slices.Sort(reasons)
	reasons = slices.Compact(reasons)
	more := ""
	if len(reasons) > maxReasons {
		more = fmt.Sprintf("; and %d more", len(reasons)-maxReasons)
		reasons = reasons[:maxReasons]
	}
	return fmt.Sprintf("none of %d alternatives holds (%s%s)", len(e.Causes), strings.Join(reasons, "; "), more)
}

func pointerOf(tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(t, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

func listReasons(reasons []schemaReason) string {
	var texts []string
	for i, r := range reasons {
		if i == maxReasons {
			texts = append(texts, fmt.Sprintf("and %d more", len(reasons)-i))
			break
		}
		texts = append(texts, r.String())
	}
	return strings.Join(texts, "; ")
}

func evidenceOf(reasons []schemaReason) []newel.Evidence {
	var out []newel.Evidence
	for _, r := range reasons[:min(len(reasons), maxReasons)] {
		out = append(out, newel.Evidence{Path: cmp.Or(r.where, "/"), Want: r.want, Got: cmp.Or(r.got, r.what)})
	}
	return out
}

// faultText words one fault.
func faultText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.FalseSchema:
		return "is not allowed"
	case *kind.Enum:
		return fmt.Sprintf("is %s, none of %s", show(k.Got), show(k.Want))
	case *kind.Const:
		return fmt.Sprintf("is %s, not %s", show(k.Got), show(k.Want))
	case *kind.Required:
		return "lacks " + quoted(k.Missing)
	case *kind.DependentRequired:
		return fmt.Sprintf("has %q but lacks %s", k.Prop, quoted(k.Missing))
	case *kind.AdditionalProperties:
		return "has " + quoted(k.Properties) + ", which may not be there"
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match the pattern %s", show(k.Got), show(k.Want))
	case *kind.Format:
		if k.Want == "regex" {
			return fmt.Sprintf("the pattern %s cannot be used: %v", show(k.Got), k.Err)
		}
		return fmt.Sprintf("%s is no %s: %v", show(k.Got), k.Want, k.Err)
	case *kind.Not:
		return "fits a schema that it must not fit"
	case *kind.RefCycle:
		return "the schema's references go in a circle"
	}
	return countText(k)
}

// countText words faults of size and order.
func countText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters, below the minimum of %d", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, above the maximum of %d", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d items, below the minimum of %d", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items, above the maximum of %d", k.Got, k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("has %d members, below the minimum of %d", k.Got, k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("has %d members, above the maximum of %d", k.Got, k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("is %s, below the minimum of %s", ratText(k.Got), ratText(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("is %s, above the maximum of %s", ratText(k.Got), ratText(k.Want))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("is %s, and must be above %s", ratText(k.Got), ratText(k.Want))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("is %s, and must be below %s", ratText(k.Got), ratText(k.Want))
	case *kind.MultipleOf:
		return fmt.Sprintf("is %s, no multiple of %s", ratText(k.Got), ratText(k.Want))
	case *kind.OneOf:
		if len(k.Subschemas) == 2 {
			return fmt.Sprintf("fits two alternatives (%d and %d) and must fit one only", k.Subschemas[0], k.Subschemas[1])
		}
	}
	return Clip(k.LocalizedString(message.NewPrinter(language.English)), 200)
}

func ratText(r *big.Rat) string {
	if r.IsInt() {
		return Clip(r.Num().String(), 40)
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// quoted lists names in order, each in quotes.
func quoted(names []string) string {
	sorted := slices.Sorted(slices.Values(names))
	for i, n := range sorted {
		sorted[i] = strconv.Quote(Clip(n, 80))
	}
	return strings.Join(sorted, ", ")
}

// schemaError words why a schema cannot be used, to continue a sentence that
// begins with its name.
func schemaError(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var load *jsonschema.LoadURLError
	var regex *jsonschema.InvalidRegexError
	var failed *jsonschema.ValidationError
	switch {
	case errors.As(err, &invalid) && errors.As(invalid.Err, &failed):
		return fmt.Errorf("cannot be used as a JSON Schema: %s%s", elsewhere(invalid.URL), listReasons(schemaReasons(failed, noValue{})))
	case errors.As(err, &load):
		return fmt.Errorf("refers to %s: %w", strings.TrimPrefix(load.URL, suiteBase), load.Err)
	case errors.As(err, &regex):
		return fmt.Errorf("cannot be used as a JSON Schema: the pattern %q cannot be used: %w", Clip(regex.Regex, 80), regex.Err)
	}
	var nowhere *jsonschema.JSONPointerNotFoundError
	if errors.As(err, &nowhere) {
		url, pointer, _ := strings.Cut(nowhere.URL, "#")
		return fmt.Errorf("cannot be used as a JSON Schema: %sthe reference #%s leads nowhere", elsewhere(url), pointer)
	}
	return fmt.Errorf("cannot be used as a JSON Schema: %s", strings.ReplaceAll(err.Error(), suiteBase, ""))
}

// elsewhere names the document of a fault unless it is an inline schema.
func elsewhere(url string) string {
	url = strings.TrimSuffix(strings.TrimPrefix(url, suiteBase), "#")
	if strings.HasSuffix(url, inlineName) {
		return ""
	}
	return url + ": "
}
