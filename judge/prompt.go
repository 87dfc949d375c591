package judge

import (
	"embed"
	"strconv"
	"strings"

	"newel"
)

// Prompt is what a judge is asked, read and checked. It is not changed.
type Prompt struct {
	Name    string // builtin:groundedness@1, a file's name, or inline
	Version int    // of its front matter, 0 where it has none
	About   string
	// Kind is what the answer must be where the prompt says so.
	Kind    Kind
	HasKind bool
	Scale   *Scale   // nil: not said
	Options []Option // nil: not said
	Pass    []string // choices that pass; nil: not said
	Needs   []string // what a case must have; nil: everything that the prompt names
	// Hash is of the text as it was written, front matter included.
	Hash newel.Hash

	head     template // the same for all cases, but for the criterion
	examples string
	body     template // comes with the case
	broken   bool     // something is wrong with either
}

// Shows reports whether the prompt shows anything of a case, or would if what is
// wrong with it were put right.
func (p *Prompt) Shows() bool { return p.broken || len(p.body.names()) > 0 }

// Asks reports whether the prompt reads a value: a path as it is written, or
// criterion, first, second.
func (p *Prompt) Asks(name string) bool {
	for _, t := range []template{p.head, p.body} {
		for _, s := range t {
			if s.name == name {
				return true
			}
		}
	}
	return false
}

// Inline reads a prompt that stands in the suite, as it is.
func Inline(pos newel.Pos, text string, m *newel.Mistakes) *Prompt {
	p := &Prompt{Name: "inline", Hash: newel.HashOf([]byte(text))}
	p.split(text, func(offset int) (newel.Pos, string) {
		if line := strings.Count(text[:offset], "\n"); line > 0 {
			return pos, "line " + strconv.Itoa(line+1) + " of the text: "
		}
		return pos, ""
	}, m)
	if p.Asks("criterion") {
		m.Add(pos, "{{ criterion }} stands in the built-in prompts alone: write the criterion into the prompt, or use criterion: in place of a prompt")
	}
	return p
}

// rule is the line between what is the same for all cases and what comes with
// each.
const rule = "---"

// split reads the text below the front matter. place says where an offset of it
// was written.
func (p *Prompt) split(text string, place func(offset int) (newel.Pos, string), m *newel.Mistakes) {
	head, body, shift := "", text, 0
	offset := 0
	for line := range strings.Lines(text) {
		if strings.TrimRight(line, " \t\r\n") == rule {
			shift = offset + len(line)
			head, body = text[:offset], text[shift:]
			break
		}
		offset += len(line)
	}
	var wrong []problem
	p.head, wrong = parseTemplate(strings.TrimRight(head, " \t\r\n"))
	for _, s := range p.head {
		if s.name != "" && s.name != "criterion" {
			wrong = append(wrong, problem{s.offset, "{{ " + s.name + " }}: what a case brings stands below the line " + rule})
		}
	}
	body = strings.TrimRight(body, " \t\r\n")
	var more []problem
	p.body, more = parseTemplate(body)
	for _, w := range more {
		wrong = append(wrong, problem{w.offset + shift, w.text})
	}
	for _, s := range p.body {
		if s.name == "criterion" {
			wrong = append(wrong, problem{shift + s.offset, "{{ criterion }} stands above the line " + rule})
		}
	}
	p.broken = len(wrong) > 0
	for _, w := range wrong {
		pos, where := place(w.offset)
		m.Add(pos, "%s%s", where, w.text)
	}
}

// missing lists what the needs of a prompt name that it does not show.
func (p *Prompt) missing() []string {
	var out []string
	for _, n := range p.Needs {
		if !p.Asks(n) {
			out = append(out, n)
		}
	}
	return out
}

// settle marks the values that a case may lack.
func (p *Prompt) settle() {
	if p.Needs == nil {
		return
	}
	for i := range p.body {
		s := &p.body[i]
		s.optional = s.name != ""
		for _, n := range p.Needs {
			if n == s.name {
				s.optional = false
			}
		}
	}
}

//go:embed prompts/*.md
var prompts embed.FS

// builtins lists the built-in prompts with their versions, in the order of the
// guide. A version that has been released never changes: a better prompt is a
// new one beside it.
var builtins = [...]struct{ name, version, file string }{
	{"criterion", "1", "criterion"},
	{"correctness", "1", "correctness"},
	{"groundedness", "1", "groundedness"},
	{"faithfulness", "1", "faithfulness"},
	{"completeness", "1", "completeness"},
	{"relevance", "1", "relevance"},
	{"refusal", "1", "refusal"},
	{"toxicity", "1", "toxicity"},
	{"injection", "1", "injection"},
	{"pairwise", "1", "pairwise"},
	{"question", "1", "question"},
	{"scored", "1", "scored"},
	{"classed", "1", "classed"},
}

// Builtins lists the names of the built-in prompts in the order of the guide.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i, b := range builtins {
		names[i] = b.name
	}
	return names
}

// BuiltinText returns a built-in prompt as it is written; false where there is
// none of that name and version.
func BuiltinText(name, version string) ([]byte, bool) {
	for _, b := range builtins {
		if b.name == name && b.version == version {
			text, err := prompts.ReadFile("prompts/" + b.file + ".md")
			return text, err == nil
		}
	}
	return nil, false
}

// Builtin reads a built-in prompt; nil where there is none of that name and
// version.
func Builtin(name, version string, yaml YAML) (*Prompt, error) {
	text, ok := BuiltinText(name, version)
	if !ok {
		return nil, nil
	}
	var m newel.Mistakes
	p := Read("builtin:"+name+"@"+version, text, yaml, &m)
	return p, m.Err()
}
