package expr_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
	"newel/expr"
)

// subject is a case with about everything, its output being JSON in a text.
func subject(output string) *newel.Subject {
	raw, _ := json.Marshal(output)
	c := &newel.Case{
		ID: "a", Input: newel.Raw(`"Refund?"`), Output: raw,
		Reference: newel.Raw(`{"amount": 5, "id": 9007199254740993, "names": ["x", "y"], "none": null}`),
		Context:   []newel.Passage{{ID: "p1", Text: "Order 17."}, {Text: "Other."}},
		Dims:      []newel.Dim{{Name: "language", Value: "de"}},
		Tags:      []string{"slow"},
		Vars:      []newel.Named{{Name: "must", Value: newel.Raw(`["x"]`)}, {Name: "pattern", Value: newel.Raw(`"("`)}, {Name: "word", Value: newel.Raw(`"seven"`)}},
		Run:       newel.Raw(`{"latency_ms": 120, "usage": {"input_tokens": 7}}`),
	}
	return newel.NewSubject(&newel.Item{Case: c, Trial: 1})
}

const answer = `{"amount": 5, "price": 2.5, "n": 4, "items": [{"price": 1}, {"price": 2}], "who": "Zoë"}`

func TestEval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		want      any
	}{
		{"a JSON number equals a whole number", `output_json.amount == 5`, true},
		{"fields of the output and the case compare", `output_json.amount == reference.amount`, true},
		{"a JSON number is in a list of whole numbers", `output_json.amount in [1, 5]`, true},
		{"a JSON number is in a list of doubles", `output_json.amount in [1.0, 5.0]`, true},
		{"a JSON number compares with a whole number", `output_json.price > 2 && output_json.price < 3`, true},
		{"a JSON number and a whole number add up", `output_json.price + 1`, 3.5},
		{"a whole number and a JSON number subtract", `10 - output_json.amount`, 5.0},
		{"a JSON number and a whole number multiply", `output_json.price * 2 == 5`, true},
		{"a JSON number divides by a whole number without rounding", `output_json.amount / 2`, 2.5},
		{"a whole JSON number has a remainder", `output_json.n % 2 == 0`, true},
		{"whole numbers divide as CEL divides", `7 / 2`, 3.0},
		{"texts add up", `output_text.substring(0, 1) + id`, "{a"},
		{"size counts code points", `size(output_json.who)`, 3.0},
		{"size of a text compares with whole numbers", `size(output_text) > 10 && size(output_text) < 2000`, true},
		{"a big id keeps its digits", `reference.id`, json.Number("9007199254740993")},
		{"a big id compares exactly", `reference.id == 9007199254740993 && reference.id != 9007199254740992`, true},
		{"a list comes back as JSON", `reference.names + vars.must`, []any{"x", "y", "x"}},
		{"a map comes back as JSON", `{"a": 1, "b": [null]}`, map[string]any{"a": 1.0, "b": []any{nil}}},
		{"null is null", `reference.none == null`, true},
		{"case names the same fields", `case.reference.amount == reference.amount && case.id == "a"`, true},
		{"a passage has its text and id", `context[0].id + context[1].text`, "p1Other."},
		{"a dimension is a text", `dims.language == "de" && case.dims["language"] in ["de", "fr"]`, true},
		{"all runs over a list of the output", `output_json.items.all(i, i.price > 0)`, true},
		{"map and sets work", `sets.contains(reference.names, vars.must)`, true},
		{"math works across kinds of numbers", `math.greatest(output_json.price, 2)`, 2.5},
		{"what the run recorded is there", `run.latency_ms < 500 && run.usage.input_tokens == 7`, true},
		{"has finds a field of the case", `has(case.reference)`, true},
		{"has finds a dimension", `has(case.dims.language)`, true},
		{"has is false for a missing field of the case", `has(case.criteria)`, false},
		{"has is false for a missing dimension", `has(case.dims.route)`, false},
		{"has is false for a key of a missing field", `has(criteria.x)`, false},
		{"has is false when the way there is missing", `has(case.criteria.x.y)`, false},
		{"has is false for a missing key of the reference", `has(reference.x)`, false},
		{"has sees a key that is null", `has(reference.none)`, true},
		{"has looks into the output", `has(output_json.who) && !has(output_json.whom)`, true},
		{"has works on elements", `output_json.items.all(i, has(i.price) && !has(i.name))`, true},
		{"a name that a comprehension takes is its own", `[{"x": 1}].all(reference, has(reference.x) && reference.x == 1)`, true},
		{"or forgives what it does not need", `criteria == "x" || true`, true},
		{"a pattern matches", `output_text.matches("^\\{.*\\}$")`, true},
		{"a list gives its size", `size(tags) == 1 && tags[0] == "slow"`, true},
		{"case as a whole is a map", `dyn(case).id`, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := expr.Compile(c.src, expr.CaseScope)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := p.Eval(context.Background(), subject(answer))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestEvalTellsTheOutputsFaultFromTheCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src, output, want string // want: kind: message
	}{
		{"an output that is no JSON", `output_json.x == 1`, "hello", `output: the output is not JSON: `},
		{"has on an output that is no JSON", `!has(output_json.x)`, "hello", `output: the output is not JSON: `},
		{"a key the output lacks", `output_json.a.b == 1`, answer, `output: the output has no output_json.a`},
		{"a key the output lacks, through case", `case.output_json.a == 1`, answer, `output: the output has no case.output_json.a`},
		{"a key an element of the output lacks", `output_json.items.all(i, i.name == "x")`, answer, `output: the output has no i.name`},
		{"an element the output lacks", `output_json.items[7].price == 1`, answer, `output: the output has no output_json.items[7]`},
		{"a text of the output compared with a number", `output_json.who > 3`, answer, `output: the output is not as the expression needs it: output_json.who > 3 is not defined for the kinds of values there`},
		{"a text of the output added to a number", `output_json.who + 3 == 4`, answer, `output: the output is not as the expression needs it: output_json.who + 3 is not defined for the kinds of values there`},
		{"an output's text that is no number", `int(output_text) == 3`, answer, `output: the output is not as the expression needs it: `},
		{"a field the case lacks", `criteria == "x"`, answer, `missing: the case has no criteria`},
		{"a field the case lacks, through case", `case.criteria == "x"`, answer, `missing: the case has no criteria`},
		{"a key the reference lacks", `reference.total == 5`, answer, `missing: the case has no reference.total`},
		{"an element of the context that is not there", `context[9].text == ""`, answer, `missing: the case has no context[9]`},
		{"a text of the case compared with a number", `vars.word > 3`, answer, `eval: the expression fails: vars.word > 3 is not defined for the kinds of values there`},
		{"a pattern of the case that is none", `output_text.matches(vars.pattern)`, answer, `eval: the expression fails: `},
		{"a number that JSON cannot hold", `1.0 / 0.0`, answer, `eval: the expression gives +Inf, which is no JSON number`},
		{"a duration", `duration("1s")`, answer, `eval: the expression gives a google.protobuf.Duration, which is no JSON: convert it with string(…)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := expr.Compile(c.src, expr.CaseScope)
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Eval(context.Background(), subject(c.output))
			if got := kind(err); !strings.HasPrefix(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func kind(err error) string {
	var output *newel.OutputError
	var missing *newel.MissingError
	var limit *expr.LimitError
	var eval *expr.EvalError
	switch {
	case err == nil:
		return "no error"
	case errors.As(err, &output):
		return "output: " + err.Error()
	case errors.As(err, &missing):
		return "missing: " + err.Error()
	case errors.As(err, &limit):
		return "limit: " + err.Error()
	case errors.As(err, &eval):
		return "eval: " + err.Error()
	}
	return "other: " + err.Error()
}

func TestCompileSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"a misspelt variable", `size(outptu_text) > 5`, `column 6: unknown name "outptu_text" (did you mean "output_text"?)`},
		{"a misspelt field of the case", `case.refrence.x == 1`, `column 5: a case has no field "refrence" (did you mean "reference"?); columns of a data file that are no field are under case.vars`},
		{"a misspelt function", `siz(output_text) > 5`, `column 4: unknown name "siz" (did you mean "size"?)`},
		{"a second line", "id == \"a\" &&\n  gibberish", `line 2, column 3: unknown name "gibberish"`},
		{"an expression that breaks off", `id ==`, `column 6: not an expression: it ends where more was expected`},
		{"a doubled operator", `id == == "a"`, `column 7: not an expression: cannot read ==`},
		{"no expression at all", ``, `column 1: not an expression: it ends where more was expected`},
		{"one equals sign", `id = "a"`, `column 4: not an expression: cannot read =; write == to compare`},
		{"a stray character", `id ; "a"`, `column 4: not an expression: cannot read ;`},
		{"a dimension compared with a number", `dims.size > 3`, `column 11: > does not take (string, int): a text and a number; dims are texts, and int(…) or string(…) convert`},
		{"kinds of numbers mixed", `size(id) / 2.0 > 1.0`, `column 10: / does not take (int, double): write double(…) around the whole number`},
		{"a pattern that is none", `output_text.matches("(")`, "column 1: error parsing regexp: missing closing ): `(`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := expr.Compile(c.src, expr.CaseScope)
			if err == nil {
				t.Fatal("compiled")
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			var mistake *expr.CompileError
			if !errors.As(err, &mistake) {
				t.Errorf("%T is no CompileError", err)
			}
		})
	}
}

func TestCompileRefusesWhatIsNoExpression(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", " ", "a ==", "output_text in", "(", "1 + + 1 )", strings.Repeat("(", 300) + strings.Repeat(")", 300), strings.Repeat("1+", expr.MaxSize) + "1"} {
		_, err := expr.Compile(src, expr.CaseScope)
		var mistake *expr.CompileError
		if !errors.As(err, &mistake) || mistake.Line < 1 || mistake.Column < 1 || mistake.Msg == "" {
			t.Errorf("%.20q: %v", src, err)
		}
	}
}

func TestEvalRecord(t *testing.T) {
	t.Parallel()
	record := map[string]any{"q": "Why?", "n": 3.0, "meta": map[string]any{"lang": "de"}}
	path := map[string]string{"lang": "fr"}
	for _, c := range []struct {
		name, src string
		want      any
	}{
		{"a column", `record.q`, "Why?"},
		{"a capture of the path", `path.lang + "-" + record.meta.lang`, "fr-de"},
		{"the row's number", `row + 1`, 13.0},
		{"an id of several", `path.lang + "-" + string(row)`, "fr-12"},
		{"a missing column asked for", `has(record.x) ? record.x : "none"`, "none"},
		{"a number of the record as text", `string(record.n)`, "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := expr.Compile(c.src, expr.RecordScope)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.EvalRecord(context.Background(), record, path, 12)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARecordWithoutTheColumnIsAMissingError(t *testing.T) {
	t.Parallel()
	p, err := expr.Compile(`record.x == path.y`, expr.RecordScope)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.EvalRecord(context.Background(), map[string]any{}, nil, 0)
	if got := kind(err); got != "missing: the case has no record.x" {
		t.Error(got)
	}
	if _, err := expr.Compile(`case.id`, expr.RecordScope); err == nil || !strings.Contains(err.Error(), `unknown name "case"`) {
		t.Errorf("case in a record's scope: %v", err)
	}
}

func TestBoolAsksForTrueOrFalse(t *testing.T) {
	t.Parallel()
	p, err := expr.Compile(`output_json.who`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	if !p.MayBeBool() {
		t.Error("a value of unknown kind may be a truth value")
	}
	_, err = p.Bool(context.Background(), subject(answer))
	if got := kind(err); got != "eval: the expression gives a text where true or false was expected" {
		t.Error(got)
	}
	text, err := expr.Compile(`id + "x"`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	if text.MayBeBool() || text.Type() != "string" {
		t.Errorf("a text is a truth value, or of type %s", text.Type())
	}
}

func TestACaseWithoutOutputServesWhen(t *testing.T) {
	t.Parallel()
	s := newel.NewSubject(&newel.Item{Case: &newel.Case{ID: "b"}})
	for src, want := range map[string]bool{
		`has(case.output)`: false, `has(case.reference)`: false, `case.id == "b"`: true,
		`has(case.output_json)`: false, `!has(case.dims.language) || case.dims.language != "fr"`: true,
	} {
		p, err := expr.Compile(src, expr.CaseScope)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Bool(context.Background(), s)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", src, got, err)
		}
	}
}

func TestOnlyWhatIsReadIsDecoded(t *testing.T) {
	t.Parallel()
	s := newel.NewSubject(&newel.Item{Case: &newel.Case{ID: "b", Reference: newel.Raw(`{broken`), Output: newel.Raw(`"x"`)}})
	p, err := expr.Compile(`output_text == "x" && has(case.reference)`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Bool(context.Background(), s); err != nil || !got {
		t.Errorf("%v, %v", got, err)
	}
	broken, err := expr.Compile(`reference == "x"`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := broken.Bool(context.Background(), s); err == nil {
		t.Error("a broken reference was read")
	}
}

func TestTooMuchWorkIsALimitError(t *testing.T) {
	t.Parallel()
	p, err := expr.Compile(`lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Eval(context.Background(), subject(answer))
	var limit *expr.LimitError
	if !errors.As(err, &limit) || limit.Limit != expr.CostLimit {
		t.Errorf("%v", err)
	}
}

func TestACancelledContextStopsAnEvaluation(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	for _, src := range []string{`id == "a"`, `lists.range(1000).all(a, a >= 0)`} {
		p, err := expr.Compile(src, expr.CaseScope)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Eval(ctx, subject(answer)); !errors.Is(err, cause) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// lateContext is cancelled, but does not say so when it is first asked.
type lateContext struct {
	context.Context
	asked atomic.Bool
}

func (c *lateContext) Err() error {
	if c.asked.CompareAndSwap(false, true) {
		return nil
	}
	return c.Context.Err()
}

func TestAContextCancelledMeanwhileStopsALoop(t *testing.T) {
	t.Parallel()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	p, err := expr.Compile(`lists.range(1000).all(a, a >= 0)`, expr.CaseScope)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Eval(&lateContext{Context: ctx}, subject(answer)); !errors.Is(err, cause) {
		t.Error(err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, src := range []string{`output_json.amount == 5`, `has(case.dims.x) ? 1 : "a"`, `[1,2].map(x, x * 2)`, `{"a": b'x'}`, `context.exists(c, c.text.contains(id))`, `1u + 2u`, `'\u00e9'.size()`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := expr.Compile(src, expr.CaseScope)
		if err != nil {
			var mistake *expr.CompileError
			if !errors.As(err, &mistake) {
				t.Fatalf("%v is no CompileError", err)
			}
			return
		}
		_, err = p.Eval(context.Background(), subject(answer))
		if err != nil && strings.Contains(err.Error(), "internal error") {
			t.Fatal(err)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	raw, _ := json.Marshal(strings.Repeat("word ", 100))
	for name, src := range map[string]string{
		"sizes":       `size(output_text) > 100 && size(output_text) < 2000`,
		"fields":      `has(case.reference) && reference.amount == 5`,
		"comprehends": `tags.all(t, t != "x")`,
	} {
		b.Run(name, func(b *testing.B) {
			p, err := expr.Compile(src, expr.CaseScope)
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c := &newel.Case{ID: "a", Output: raw, Reference: newel.Raw(`{"amount": 5}`), Tags: []string{"a"}}
			s := newel.NewSubject(&newel.Item{Case: c})
			b.ReportAllocs()
			for b.Loop() {
				ok, err := p.Bool(ctx, s)
				if err != nil || !ok {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

func BenchmarkLimit(b *testing.B) {
	text, _ := json.Marshal(strings.Repeat("word ", 200_000))
	for name, src := range map[string]string{
		"loops": `lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))`,
		"texts": `lists.range(1000).exists(a, output_text.contains("absent"))`,
	} {
		b.Run(name, func(b *testing.B) {
			p, err := expr.Compile(src, expr.CaseScope)
			if err != nil {
				b.Fatal(err)
			}
			s := newel.NewSubject(&newel.Item{Case: &newel.Case{Output: text}})
			for b.Loop() {
				var limit *expr.LimitError
				if _, err := p.Eval(context.Background(), s); !errors.As(err, &limit) {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := expr.Compile(`has(case.reference) && output_json.amount == reference.amount`, expr.CaseScope); err != nil {
			b.Fatal(err)
		}
	}
}
