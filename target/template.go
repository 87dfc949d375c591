package target

import (
	"fmt"
	"regexp"
	"strings"

	"newel"
)

// place says how a value is written where a template names it.
type place uint8

const (
	asText   place = iota // as it is
	asJSON                // as a JSON value
	inJSON                // within a JSON string
	inPath                // within the path of a URL
	inQuery               // within the query of a URL, or a form
	inHeader              // within a header: one line
)

// part is a piece of a template: a literal, an environment variable or a value
// of the case.
type part struct {
	literal  string
	variable string
	path     newel.Path
	own      string // messages or turn: of the conversation, not the case
	place    place
}

func (p part) isField() bool { return p.own != "" || !p.path.IsZero() }

// template is a text with {{ path }} in it, read once when the suite is. What
// is filled in is never read as a template again.
type template []part

// syntax says what stands in a kind of text besides literals.
type syntax struct{ variables, fields bool }

// braces is how a text writes {{ itself: {{ "{{" }}.
var braces = regexp.MustCompile(`^\{\{\s*"([^"]*)"\s*\}\}`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// problem is something wrong at an offset of a text.
type problem struct {
	offset int
	text   string
}

// parseTemplate reads a text of the suite and notes what is wrong with it.
func parseTemplate(pos newel.Pos, text string, s syntax, m *newel.Mistakes) template {
	t, problems := scan(text, s)
	for _, p := range problems {
		where := ""
		if line := strings.Count(text[:p.offset], "\n"); line > 0 {
			where = fmt.Sprintf("line %d of the text: ", line+1)
		}
		m.Add(pos, "%s%s", where, p.text)
	}
	return t
}

// scan splits a text into its parts.
func scan(text string, s syntax) (t template, problems []problem) {
	literal := func(l string) {
		if n := len(t); n > 0 && t[n-1].literal != "" {
			t[n-1].literal += l
		} else if l != "" {
			t = append(t, part{literal: l})
		}
	}
	for at := 0; at < len(text); {
		next := nextMark(text[at:], s)
		literal(text[at : at+next])
		if at += next; at == len(text) {
			break
		}
		p, size, wrong := mark(text[at:], s)
		if wrong != "" {
			problems = append(problems, problem{at, wrong})
		}
		if p.literal != "" {
			literal(p.literal)
		} else if p.variable != "" || p.isField() {
			t = append(t, p)
		}
		at += size
	}
	return t, problems
}

// nextMark returns where something other than a literal starts.
func nextMark(text string, s syntax) int {
	next := len(text)
	if i := strings.Index(text, "{{"); i >= 0 {
		next = i
	}
	if !s.variables {
		return next
	}
	if i := strings.Index(text[:next], "${"); i >= 0 {
		next = i
		if i > 0 && text[i-1] == '$' {
			next--
		}
	}
	return next
}

// mark reads what starts at text and how long it is.
func mark(text string, s syntax) (p part, size int, wrong string) {
	switch {
	case strings.HasPrefix(text, "$${"):
		return part{literal: "${"}, 3, ""
	case strings.HasPrefix(text, "${"):
		return variableMark(text)
	}
	if found := braces.FindStringSubmatch(text); found != nil {
		return part{literal: found[1]}, len(found[0]), ""
	}
	end := strings.Index(text, "}}")
	if end < 0 || strings.Contains(text[2:end], "{{") {
		return part{literal: "{{"}, 2, `"{{" is not closed by "}}"; for the braces themselves write {{ "{{" }}`
	}
	size = end + 2
	if !s.fields {
		return part{}, size, text[:size] + ": values of a case cannot stand here"
	}
	p, wrong = fieldMark(strings.TrimSpace(text[2:end]))
	return p, size, wrong
}

func variableMark(text string) (p part, size int, wrong string) {
	end := strings.IndexByte(text, '}')
	if end < 0 || !variableName.MatchString(text[2:end]) {
		return part{literal: "${"}, 2, `"${" starts the name of an environment variable, as in ${API_KEY}; for the characters themselves write $${`
	}
	return part{variable: text[2:end]}, end + 1, ""
}

// fieldMark reads what stands between the braces.
func fieldMark(inside string) (part, string) {
	switch {
	case inside == "messages" || inside == "turn":
		return part{own: inside}, ""
	case inside == "":
		return part{}, "{{ }} names nothing: write a path such as {{ input }}"
	case !strings.HasPrefix(inside, "/") && strings.ContainsAny(inside, " \t\n|#%()\"'"):
		return part{}, fmt.Sprintf("{{ %s }}: a template takes a path and nothing else: no filters, no loops, no logic", clipTo(inside, 60))
	}
	path, err := newel.ParsePath(inside)
	if err != nil {
		return part{}, fmt.Sprintf("{{ %s }}: %v", clipTo(inside, 60), err)
	}
	switch {
	case path.OfOutput():
		return part{}, fmt.Sprintf("{{ %s }}: the target is asked for the output; there is none yet", inside)
	case path.Field() == "labels" || path.Field() == "raters":
		return part{}, fmt.Sprintf("{{ %s }}: what people said about a case is never shown to the target", inside)
	}
	return part{path: path}, ""
}

// fields reports whether t reads anything from the case.
func (t template) fields() bool {
	for _, p := range t {
		if p.isField() {
			return true
		}
	}
	return false
}

// variables lists the environment variables in t.
func (t template) variables() []string {
	var names []string
	for _, p := range t {
		if p.variable != "" {
			names = append(names, p.variable)
		}
	}
	return names
}

// at returns t with its values written for a place.
func (t template) at(where place) template {
	for i := range t {
		t[i].place = where
	}
	return t
}

// name returns what stands between the braces.
func (p part) name() string { return p.own + p.path.String() }
