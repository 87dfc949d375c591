package check

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"newel"
	"newel/check/textmetric"
)

// step is one way of cutting out of a text what a check looks at. A text that
// lacks it is an OutputError.
type step func(s *newel.Subject, text string) (string, error)

// plainStep is a step that asks nothing of the case.
func plainStep(f func(text string) (string, error)) step {
	return func(_ *newel.Subject, text string) (string, error) { return f(text) }
}

// extractSteps reads the list under extract.
func extractSteps(a *Args, n *newel.Node) []step {
	list := n.List
	if !n.IsList() {
		list = []*newel.Node{n}
	}
	var steps []step
	for _, e := range list {
		if f := extractStep(a, e); f != nil {
			steps = append(steps, f)
		}
	}
	return steps
}

// caseSteps reads steps that a case brings, as JSON.
func caseSteps(a *Args, text string) ([]step, error) {
	v, err := newel.ParseJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	var m newel.Mistakes
	inner := &Args{spec: a.spec, check: a.check, pos: a.pos, nodes: a.nodes, env: a.env, m: &m}
	steps := extractSteps(inner, newel.NodeOf(v, a.pos))
	if m.Len() > 0 {
		return nil, errors.New(m.List()[0].Msg)
	}
	return steps, nil
}

var (
	extractWords = []string{"json", "number", "trim", "lower", "after", "regex"}
	takeWords    = []string{"first", "last", "only"}
)

func extractStep(a *Args, n *newel.Node) step {
	if word, ok := n.Text(); ok {
		switch word {
		case "json":
			return plainStep(fencedJSON)
		case "number":
			return numberStep(a, Const("first"))
		case "trim":
			return plainStep(func(t string) (string, error) { return strings.TrimSpace(t), nil })
		case "lower":
			return plainStep(func(t string) (string, error) { return strings.ToLower(t), nil })
		}
		a.Wrong(n.Pos, "extract has no step %q%s", word, newel.DidYouMean(word, extractWords))
		return nil
	}
	if n.IsMap() {
		text, pattern, number := n.Field("after"), n.Field("regex"), n.Field("number")
		switch {
		case text != nil && len(n.Fields) == 1:
			return afterStep(a, text)
		case pattern != nil:
			return regexStep(a, n, pattern)
		case number != nil && len(n.Fields) == 1:
			return numberStep(a, Word(a.under("number", number), "number", takeWords...))
		}
	}
	a.Wrong(n.Pos, "extract is a list of json, number, trim, lower, {after: TEXT}, {regex: PATTERN, take: first|last|only}, {number: first|last|only}")
	return nil
}

// under returns arguments that hold n under name, for values deeper than the
// parameters.
func (a *Args) under(name string, n *newel.Node) *Args {
	return &Args{spec: a.spec, check: a.check, pos: n.Pos, nodes: map[string]*newel.Node{name: n}, env: a.env, m: a.m}
}

func afterStep(a *Args, n *newel.Node) step {
	mark := argOf(a.under("after", n), "after", "", func(v any) (string, error) {
		text, ok := v.(string)
		if !ok || text == "" {
			return "", errors.New("is a text that is not empty")
		}
		return text, nil
	})
	return func(s *newel.Subject, text string) (string, error) {
		mark, err := mark.At(s)
		if err != nil {
			return "", err
		}
		i := strings.LastIndex(text, mark)
		if i < 0 {
			return "", &newel.OutputError{Msg: "nothing stands after " + show(mark) + ": it is not there"}
		}
		return text[i+len(mark):], nil
	}
}

func regexStep(a *Args, n, text *newel.Node) step {
	take := Const("first")
	for _, f := range n.Fields {
		switch f.Name {
		case "regex":
		case "take":
			take = Word(a.under("take", f.Node), "take", takeWords...)
		default:
			a.Wrong(f.Pos, "extract's regex has no %q%s", f.Name, newel.DidYouMean(f.Name, []string{"regex", "take"}))
		}
	}
	inner := a.under("regex", text)
	compiled := Derive(inner, "regex", Text(inner, "regex", ""), func(text string) (*pattern, error) { return compilePattern(text, false) })
	return func(s *newel.Subject, text string) (string, error) {
		re, err := compiled.At(s)
		if err != nil {
			return "", err
		}
		take, err := take.At(s)
		if err != nil {
			return "", err
		}
		return takeMatch(re, take, text)
	}
}

func takeMatch(re *pattern, take, text string) (string, error) {
	if len(text) > maxText {
		return "", tooLong(len(text))
	}
	if err := boundMatching(text, re); err != nil {
		return "", err
	}
	most := map[string]int{"first": 1, "only": 2, "last": -1}[take]
	found, err := findAll(re.Regexp, text, most)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", &newel.OutputError{Msg: "nothing in the text matches " + show(re.String())}
	case take == "only" && len(found) > 1:
		return "", &newel.OutputError{Msg: "more than one place matches " + show(re.String())}
	}
	match := found[len(found)-1]
	switch {
	case len(match) == 2:
		return text[match[0]:match[1]], nil
	case match[2] < 0: // the group took no part
		return "", nil
	}
	return text[match[2]:match[3]], nil
}

func tooLong(size int) error {
	return &LimitError{fmt.Sprintf("the text has %d bytes, more than the %d that this check reads", size, maxText)}
}

func numberStep(a *Args, take Arg[string]) step {
	language := numberLanguage(a)
	return func(s *newel.Subject, text string) (string, error) {
		take, err := take.At(s)
		if err != nil {
			return "", err
		}
		lang, err := language.At(s)
		if err != nil {
			return "", err
		}
		return plainNumber(textmetric.NumberReader{Language: lang}, text, take)
	}
}

// numberLanguage is the check's language, in which numbers are written. For the
// check that asks for a language it is something else.
func numberLanguage(a *Args) Arg[string] {
	n := a.take("language")
	if n == nil || a.spec.Name == "language" || n.IsList() {
		return Const("en")
	}
	return Text(a, "language", "en")
}

// plainNumber returns one of the text's numbers as JSON writes it, so that it
// compares by value whatever groups its thousands.
func plainNumber(r textmetric.NumberReader, text, take string) (string, error) {
	n, err := takeNumber(r, text, take)
	if err != nil {
		return "", err
	}
	if newel.Raw(n.Text).Kind() == '0' && newel.Raw(n.Text).IsValid() {
		return n.Text, nil
	}
	return strconv.FormatFloat(n.Value, 'f', -1, 64), nil
}

// takeNumber reads a number out of a text.
func takeNumber(r textmetric.NumberReader, text, take string) (textmetric.Number, error) {
	if len(text) > maxText {
		return textmetric.Number{}, tooLong(len(text))
	}
	found := r.Find(text)
	switch {
	case len(found) == 0:
		return textmetric.Number{}, &newel.OutputError{Msg: "there is no number in the text"}
	case take == "only" && len(found) > 1:
		return textmetric.Number{}, &newel.OutputError{Msg: fmt.Sprintf("there is more than one number in the text: %s, %s, …", found[0].Text, found[1].Text)}
	case take == "last":
		return found[len(found)-1], nil
	}
	return found[0], nil
}

// fence matches a Markdown code block and captures its content.
var fence = regexp.MustCompile("(?s)```[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)```")

// fencedJSON returns the whole text when it is JSON, else the content of its
// only fenced block.
func fencedJSON(text string) (string, error) {
	if newel.Raw(text).IsValid() {
		return text, nil
	}
	blocks := fence.FindAllStringSubmatch(text, 2)
	switch len(blocks) {
	case 0:
		return "", &newel.OutputError{Msg: "the text is not JSON and has no fenced block"}
	case 1:
		return blocks[0][1], nil
	}
	return "", &newel.OutputError{Msg: "the text is not JSON and has more than one fenced block"}
}
