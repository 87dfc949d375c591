package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"newel"
)

// slot is a piece of a template: a literal, or a value of the case.
type slot struct {
	literal string
	// name stands between the braces: a path of the case; criterion; or, of a
	// pair, first and second.
	name     string
	path     newel.Path // zero for criterion, first and second
	tag      string     // what the value's fence is called
	optional bool       // left out where the case has none
	alone    bool       // nothing else stands on its line
	offset   int        // where it was written
}

// template is a text with {{ path }} in it. What is filled in is never read as
// a template again.
type template []slot

// own are the names that are no path.
var own = []string{"criterion", "first", "second"}

// literalBraces is how a text writes {{ itself: {{ "{{" }}.
var literalBraces = regexp.MustCompile(`^\{\{\s*"([^"]*)"\s*\}\}`)

// problem is something wrong at an offset of a text.
type problem struct {
	offset int
	text   string
}

// parseTemplate splits a text into literals and slots.
func parseTemplate(text string) (template, []problem) {
	var t template
	var problems []problem
	literal := func(l string) {
		if n := len(t); n > 0 && t[n-1].name == "" {
			t[n-1].literal += l
		} else if l != "" {
			t = append(t, slot{literal: l})
		}
	}
	for at := 0; at < len(text); {
		next := strings.Index(text[at:], "{{")
		if next < 0 {
			literal(text[at:])
			break
		}
		literal(text[at : at+next])
		at += next
		if found := literalBraces.FindStringSubmatch(text[at:]); found != nil {
			literal(found[1])
			at += len(found[0])
			continue
		}
		end := strings.Index(text[at:], "}}")
		if end < 0 || strings.Contains(text[at+2:at+end], "{{") {
			problems = append(problems, problem{at, `"{{" is not closed by "}}"; for the braces themselves write {{ "{{" }}`})
			literal("{{")
			at += 2
			continue
		}
		s, wrong := readSlot(strings.TrimSpace(text[at+2 : at+end]))
		if wrong != "" {
			problems = append(problems, problem{at, wrong})
		} else {
			s.offset = at
			s.alone = lineStart(text[:at]) && lineEnd(text[at+end+2:])
			t = append(t, s)
		}
		at += end + 2
	}
	return t, problems
}

func lineStart(before string) bool {
	return strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], " \t") == ""
}

func lineEnd(after string) bool {
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(line) == ""
}

// readSlot reads what stands between the braces.
func readSlot(inside string) (slot, string) {
	switch {
	case inside == "":
		return slot{}, "{{ }} names nothing: write a path such as {{ output }}"
	case slices.Contains(own, inside):
		return slot{name: inside, tag: inside}, ""
	case !strings.HasPrefix(inside, "/") && strings.ContainsAny(inside, " \t\n|#%()\"'"):
		return slot{}, fmt.Sprintf("{{ %s }}: a prompt takes a path and nothing else: no filters, no loops, no logic", clip(inside, 60))
	}
	path, err := newel.ParsePath(inside)
	if err != nil {
		return slot{}, fmt.Sprintf("{{ %s }}: %v", clip(inside, 60), err)
	}
	if wrong := Hidden(path); wrong != "" {
		return slot{}, fmt.Sprintf("{{ %s }}: %s", clip(inside, 60), wrong)
	}
	if path.Field() == "media" {
		return slot{}, "{{ media }}: files go along with media: true; they have no place in the text"
	}
	return slot{name: inside, path: path, tag: tagOf(inside)}, ""
}

// Hidden says why a judge must not be shown what stands at a path; "" where it
// may.
func Hidden(p newel.Path) string {
	if f := p.Field(); f == "labels" || f == "raters" {
		return "what people said about a case is never shown to a judge"
	}
	return ""
}

// tagOf is a path as the name of a tag.
func tagOf(path string) string {
	tag := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '_'
	}, strings.TrimPrefix(strings.TrimPrefix(path, "/"), "case."))
	return tag[:min(len(tag), 60)]
}

// names lists what the template reads, each once, in order.
func (t template) names() []string {
	var out []string
	for _, s := range t {
		if s.name != "" && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// clip shortens a text to about n bytes.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
