package newel

import "fmt"

// Lookup returns what stands at p. Of the output, what is not there or cannot
// be read is an OutputError; of the case, a MissingError.
func (s *Subject) Lookup(p Path) (any, error) {
	base, rest, err := s.start(p)
	if err != nil {
		return nil, err
	}
	v, ok := Walk(base, rest)
	if ok {
		return v, nil
	}
	if p.OfOutput() {
		return nil, &OutputError{fmt.Sprintf("the output has no %s", p.text)}
	}
	return nil, &MissingError{p.text}
}

// start returns the decoded value that p walks into, and the steps that are
// left. Of named values only the entry that is asked for is decoded.
func (s *Subject) start(p Path) (base any, rest []string, err error) {
	list := s.named(p.field)
	if list == nil || len(p.rest) == 0 || s.fields[p.field] != nil {
		base, err = s.base(p.field)
		return base, p.rest, err
	}
	name, rest := p.rest[0], p.rest[1:]
	for _, e := range s.entries {
		if e.name == name && e.field == p.field {
			return e.value, rest, nil
		}
	}
	raw := Find(list, name)
	if raw == nil {
		return nil, p.rest, nil
	}
	if base, err = ParseJSON(raw); err != nil {
		return nil, nil, err
	}
	s.entries = append(s.entries, entry{p.field, name, base})
	return base, rest, nil
}

// named returns the named values of a field that holds such.
func (s *Subject) named(field string) []Named {
	switch field {
	case "vars":
		return s.Case.Vars
	case "labels":
		return s.Case.Labels
	case "raters":
		return s.Case.Raters
	case "outputs":
		return s.Case.Outputs
	}
	return nil
}

func (s *Subject) base(field string) (any, error) {
	switch field {
	case "output_text":
		return s.Text()
	case "output_json":
		return s.JSON()
	case "output_calls":
		calls, err := s.Calls()
		return CallsAny(calls), err
	}
	if v, ok := s.fields[field]; ok {
		return v, nil
	}
	v, err := s.decode(field)
	if err != nil {
		return nil, err
	}
	if s.fields == nil {
		s.fields = make(map[string]any, 4)
	}
	s.fields[field] = v
	return v, nil
}

func (s *Subject) decode(field string) (any, error) {
	c := s.Case
	switch field {
	case "id":
		return c.ID, nil
	case "input":
		return parseField(field, c.Input)
	case "output":
		if s.Output == nil {
			return nil, &OutputError{"there is no output"}
		}
		return ParseJSON(s.Output)
	case "outputs":
		return namedAny(field, c.Outputs)
	case "reference":
		return parseField(field, c.Reference)
	case "context":
		return passagesAny(s.Context)
	case "media":
		return mediaAny(c.Media)
	case "turns":
		return textsAny(field, c.Turns)
	case "dims":
		return dimsAny(s.Dims), nil
	case "tags":
		return textsAny(field, c.Tags)
	case "vars":
		return namedAny(field, c.Vars)
	case "labels":
		return namedAny(field, c.Labels)
	case "raters":
		return namedAny(field, c.Raters)
	case "cluster":
		if c.Cluster == "" {
			return nil, &MissingError{field}
		}
		return c.Cluster, nil
	case "criteria":
		return parseField(field, c.Criteria)
	case "run":
		return parseField(field, s.Run)
	}
	return nil, &MissingError{field}
}

func parseField(name string, raw Raw) (any, error) {
	if raw == nil {
		return nil, &MissingError{name}
	}
	return ParseJSON(raw)
}

func namedAny(name string, list []Named) (any, error) {
	if list == nil {
		return nil, &MissingError{name}
	}
	m := make(map[string]any, len(list))
	for _, n := range list {
		v, err := ParseJSON(n.Value)
		if err != nil {
			return nil, err
		}
		m[n.Name] = v
	}
	return m, nil
}

func dimsAny(dims []Dim) map[string]any {
	m := make(map[string]any, len(dims))
	for _, d := range dims {
		m[d.Name] = d.Value
	}
	return m
}

func textsAny(name string, texts []string) (any, error) {
	if texts == nil {
		return nil, &MissingError{name}
	}
	l := make([]any, len(texts))
	for i, t := range texts {
		l[i] = t
	}
	return l, nil
}

func passagesAny(list []Passage) (any, error) {
	if list == nil {
		return nil, &MissingError{"context"}
	}
	l := make([]any, len(list))
	for i, p := range list {
		m := map[string]any{"text": p.Text}
		if p.ID != "" {
			m["id"] = p.ID
		}
		l[i] = m
	}
	return l, nil
}

func mediaAny(list []Media) (any, error) {
	if list == nil {
		return nil, &MissingError{"media"}
	}
	l := make([]any, len(list))
	for i, m := range list {
		l[i] = map[string]any{"path": m.Path, "url": m.URL, "type": m.Type, "sha256": m.SHA256}
	}
	return l, nil
}

// ParsePassages reads a case's context: a text, or a list of texts and
// {id, text}.
func ParsePassages(raw Raw) ([]Passage, error) {
	v, err := ParseJSON(raw)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]Passage, 0, len(list))
	for i, e := range list {
		p, ok := passageOf(e)
		if !ok {
			return nil, fmt.Errorf("passage %d is neither a text nor {id, text}", i)
		}
		out = append(out, p)
	}
	return out, nil
}

func passageOf(v any) (Passage, bool) {
	switch p := v.(type) {
	case string:
		return Passage{Text: p}, true
	case map[string]any:
		text, ok := p["text"].(string)
		id, isText := p["id"].(string)
		if _, isNumber := Float(p["id"]); isNumber {
			digits, err := CanonicalOf(p["id"])
			id, isText = string(digits), err == nil
		}
		return Passage{ID: id, Text: text}, ok && (isText || p["id"] == nil)
	}
	return Passage{}, false
}
