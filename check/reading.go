package check

import (
	"newel"
)

// readingParams are taken by every check that reads a text or JSON.
var readingParams = []Param{
	{Name: "at", Type: "path", About: "what is checked", Default: "output"},
	{Name: "extract", Type: "list", About: "how the text is read, in order: json (the whole text or its only fenced block), {after: TEXT} (its last place), {regex: PATTERN, take: first, last or only} (the first group, where there is one), number or {number: first, last or only} (in plain decimal digits), trim, lower", Default: "nothing"},
}

// Reading is what a check looks at: a place, and how the text there is read.
type Reading struct {
	at    newel.Path
	plain bool // the output, as it is
	steps []step
	// Where the case says how its text is read, steps are made for each text
	// that says so.
	from newel.Path
	made *cache[[]step]
	make func(text string) ([]step, error)
}

// ReadingOf reads at and extract.
func ReadingOf(a *Args) *Reading { return readingAt(a, "output") }

// readingAt is ReadingOf for a check that looks elsewhere by default.
func readingAt(a *Args, place string) *Reading {
	r := &Reading{at: a.Path("at", place)}
	r.plain = r.at.String() == "output" || r.at.String() == "output_text"
	n := a.take("extract")
	if n == nil {
		return r
	}
	if path, ok := a.fromPath(n); ok {
		r.from, r.made = path, newCache[[]step](cacheSize)
		r.make = func(text string) ([]step, error) { return caseSteps(a, text) }
		return r
	}
	r.steps = extractSteps(a, n)
	return r
}

// extracts reports whether the text is read through any step.
func (r *Reading) extracts() bool { return len(r.steps) > 0 || r.made != nil }

// stepsFor returns the steps in force for s.
func (r *Reading) stepsFor(s *newel.Subject) ([]step, error) {
	if r.made == nil {
		return r.steps, nil
	}
	v, err := s.Lookup(r.from)
	if err != nil {
		return nil, err
	}
	text, err := newel.CanonicalOf(v)
	if err != nil {
		return nil, &ParamError{r.from.String() + ": " + err.Error()}
	}
	steps, err := r.made.get(string(text), r.make)
	if err != nil {
		return nil, &ParamError{r.from.String() + ": " + err.Error()}
	}
	return steps, nil
}

// Text returns what is checked, as text. A list or map is canonical JSON.
func (r *Reading) Text(s *newel.Subject) (string, error) {
	text, err := r.start(s)
	if err != nil || !r.extracts() {
		return text, err
	}
	steps, err := r.stepsFor(s)
	if err != nil {
		return "", err
	}
	for _, step := range steps {
		if text, err = step(s, text); err != nil {
			return "", err
		}
	}
	return text, nil
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
	if r.extracts() {
		text, err := r.Text(s)
		if err != nil {
			return nil, err
		}
		return r.parse(text)
	}
	if r.plain {
		return s.JSON()
	}
	v, err := s.Lookup(r.at)
	if text, ok := v.(string); ok && err == nil {
		return r.parse(text)
	}
	return v, err
}

// Value returns what is checked as it stands, without parsing texts; with
// extract, the text that it gives.
func (r *Reading) Value(s *newel.Subject) (any, error) {
	if r.extracts() {
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
