package check

import (
	"regexp"
	"strings"

	"newel"
	"newel/check/textmetric"
)

// readingParams are taken by every check that reads a text or JSON.
var readingParams = []Param{
	{Name: "at", Type: "path", About: "what is checked", Default: "output"},
	{Name: "extract", Type: "list", About: "how the text is read, in order: json (the whole text or its only fenced block), {after: TEXT}, {regex: PATTERN, take: first, last or only}, number, trim, lower", Default: "nothing"},
}

// Reading is what a check looks at: a place, and how the text there is read.
type Reading struct {
	at    newel.Path
	plain bool // the output, as it is
	steps []func(text string) (string, error)
}

// ReadingOf reads at and extract.
func ReadingOf(a *Args) *Reading {
	r := &Reading{at: a.Path("at", "output")}
	r.plain = r.at.String() == "output" || r.at.String() == "output_text"
	n := a.take("extract")
	if n == nil {
		return r
	}
	steps := n.List
	if !n.IsList() {
		steps = []*newel.Node{n}
	}
	for _, step := range steps {
		if f := extractStep(a, step); f != nil {
			r.steps = append(r.steps, f)
		}
	}
	return r
}

var extractWords = []string{"json", "number", "trim", "lower", "after", "regex"}

func extractStep(a *Args, n *newel.Node) func(string) (string, error) {
	if word, ok := n.Text(); ok {
		switch word {
		case "json":
			return fencedJSON
		case "number":
			return firstNumber
		case "trim":
			return func(t string) (string, error) { return strings.TrimSpace(t), nil }
		case "lower":
			return func(t string) (string, error) { return strings.ToLower(t), nil }
		}
		a.Wrong(n.Pos, "extract has no step %q%s", word, newel.DidYouMean(word, extractWords))
		return nil
	}
	if text := n.Field("after"); n.IsMap() && text != nil && len(n.Fields) == 1 {
		return afterStep(a, text)
	}
	if pattern := n.Field("regex"); n.IsMap() && pattern != nil {
		return regexStep(a, n, pattern)
	}
	a.Wrong(n.Pos, "extract is a list of json, number, trim, lower, {after: TEXT}, {regex: PATTERN, take: first|last|only}")
	return nil
}

func afterStep(a *Args, n *newel.Node) func(string) (string, error) {
	mark, ok := n.Text()
	if !ok || mark == "" {
		a.Wrong(n.Pos, "after is a text that is not empty")
	}
	return func(text string) (string, error) {
		i := strings.LastIndex(text, mark)
		if i < 0 {
			return "", &newel.OutputError{Msg: "nothing stands after " + show(mark) + ": it is not there"}
		}
		return text[i+len(mark):], nil
	}
}

func regexStep(a *Args, n, pattern *newel.Node) func(string) (string, error) {
	take := "first"
	for _, f := range n.Fields {
		switch word, _ := f.Node.Text(); {
		case f.Name == "regex":
		case f.Name == "take" && (word == "first" || word == "last" || word == "only"):
			take = word
		case f.Name == "take":
			a.Wrong(f.Node.Pos, "take is first, last or only")
		default:
			a.Wrong(f.Pos, "extract's regex has no %q%s", f.Name, newel.DidYouMean(f.Name, []string{"regex", "take"}))
		}
	}
	text, ok := pattern.Text()
	re, err := regexp.Compile(text)
	if !ok || err != nil {
		a.Wrong(pattern.Pos, "extract: %q is not a regular expression (Go syntax): %v", text, err)
		return nil
	}
	return func(text string) (string, error) { return takeMatch(re, take, text) }
}

func takeMatch(re *regexp.Regexp, take, text string) (string, error) {
	most := -1
	if take == "first" {
		most = 1
	}
	found := re.FindAllStringSubmatch(text, most)
	switch {
	case len(found) == 0:
		return "", &newel.OutputError{Msg: "nothing in the text matches " + show(re.String())}
	case take == "only" && len(found) > 1:
		return "", &newel.OutputError{Msg: "more than one place matches " + show(re.String())}
	}
	match := found[len(found)-1]
	if take == "first" {
		match = found[0]
	}
	if len(match) > 1 {
		return match[1], nil
	}
	return match[0], nil
}

func firstNumber(text string) (string, error) {
	found := textmetric.FindNumbers(text, "en")
	if len(found) == 0 {
		return "", &newel.OutputError{Msg: "there is no number in the text"}
	}
	return found[0].Text, nil
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

// Text returns what is checked, as text. A list or map is canonical JSON.
func (r *Reading) Text(s *newel.Subject) (string, error) {
	text, err := r.start(s)
	for _, step := range r.steps {
		if err != nil {
			return "", err
		}
		text, err = step(text)
	}
	return text, err
}

func (r *Reading) start(s *newel.Subject) (string, error) {
	if r.plain {
		return s.Text()
	}
	v, err := s.Lookup(r.at)
	if err != nil {
		return "", err
	}
	return textOf(v)
}

// textOf returns a decoded value as text: a text as it is, anything else as
// canonical JSON.
func textOf(v any) (string, error) {
	if text, ok := v.(string); ok {
		return text, nil
	}
	b, err := newel.CanonicalOf(v)
	return string(b), err
}

// JSON returns what is checked, decoded: a text is parsed, anything else is
// taken as it is.
func (r *Reading) JSON(s *newel.Subject) (any, error) {
	if r.plain && len(r.steps) == 0 {
		return s.JSON()
	}
	if len(r.steps) == 0 {
		v, err := s.Lookup(r.at)
		if text, ok := v.(string); ok && err == nil {
			return r.parse(text)
		}
		return v, err
	}
	text, err := r.Text(s)
	if err != nil {
		return nil, err
	}
	return r.parse(text)
}

// Value returns what is checked as it stands, without parsing texts; with
// extract, the text that it gives.
func (r *Reading) Value(s *newel.Subject) (any, error) {
	if len(r.steps) > 0 {
		return r.Text(s)
	}
	return s.Lookup(r.at)
}

func (r *Reading) parse(text string) (any, error) {
	v, err := newel.ParseJSON([]byte(text))
	if err != nil && (r.at.OfOutput() || r.plain) {
		return nil, &newel.OutputError{Msg: "the text is not JSON: " + err.Error()}
	}
	if err != nil {
		return nil, &ParamError{r.at.String() + " is not JSON: " + err.Error()}
	}
	return v, nil
}
