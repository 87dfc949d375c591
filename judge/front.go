package judge

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"newel"
)

// YAML reads a document into nodes with their places, and notes what is wrong
// with it.
type YAML func(file string, text []byte, m *newel.Mistakes) *newel.Node

// maxPrompt is how long a prompt may be, in bytes.
const maxPrompt = 256 << 10

var frontKeys = []string{"name", "version", "about", "reply", "score", "choices", "pass", "needs", "examples"}

// Read reads a prompt from Markdown with front matter between two lines ---.
// All that is wrong with it is noted, each with its line and column.
func Read(file string, text []byte, yaml YAML, m *newel.Mistakes) *Prompt {
	p := &Prompt{Name: file, Hash: newel.HashOf(text)}
	f := &front{file: file, m: m}
	switch {
	case len(text) > maxPrompt:
		f.wrong(newel.Pos{File: file}, "a prompt has at most %d KiB", maxPrompt>>10)
		return p
	case !utf8.Valid(text):
		f.wrong(newel.Pos{File: file}, "not UTF-8 text: save the file as UTF-8")
		return p
	}
	whole := string(text)
	matter, start := cutFront(whole)
	if matter != "" {
		if n := yaml(file, []byte("\n"+matter), m); n != nil {
			f.read(n, p)
		}
	}
	p.split(whole[start:], func(offset int) (newel.Pos, string) { return placeOf(file, whole, start+offset), "" }, m)
	for _, name := range p.missing() {
		f.wrong(newel.Pos{File: file, Line: 1}, "needs names %s, which the prompt does not show: write {{ %s }} below the line ---", name, name)
	}
	p.settle()
	return p
}

// cutFront returns the front matter and where the text behind it starts; ""
// and 0 where there is none.
func cutFront(text string) (matter string, start int) {
	first, _, _ := strings.Cut(text, "\n")
	if strings.TrimRight(strings.TrimPrefix(first, "\ufeff"), " \t\r") != rule {
		return "", 0
	}
	at := len(first) + 1
	for line := range strings.Lines(text[min(at, len(text)):]) {
		if strings.TrimRight(line, " \t\r\n") == rule {
			return text[len(first)+1 : at], at + len(line)
		}
		at += len(line)
	}
	return "", 0
}

func placeOf(file, text string, offset int) newel.Pos {
	offset = max(min(offset, len(text)), 0)
	before := text[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return newel.Pos{File: file, Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(line)}
}

// front reads front matter.
type front struct {
	file string
	m    *newel.Mistakes
}

func (f *front) wrong(pos newel.Pos, format string, args ...any) { f.m.Add(pos, format, args...) }

func (f *front) read(n *newel.Node, p *Prompt) {
	if !n.IsMap() {
		f.wrong(n.Pos, "front matter is a map of %s; this is %s", strings.Join(frontKeys, ", "), n.Kind())
		return
	}
	for _, e := range n.Fields {
		f.field(e, p)
	}
	f.agree(n, p)
}

func (f *front) field(e *newel.Field, p *Prompt) {
	switch n := e.Node; e.Name {
	case "name", "about":
		if text := f.text(n, e.Name); e.Name == "about" {
			p.About = text
		}
	case "version":
		v, ok := newel.Float(n.Value)
		if !ok || !n.IsScalar() || v < 1 || v > 1e6 || v != math.Trunc(v) {
			f.wrong(n.Pos, "version is a whole number from 1 on")
			return
		}
		p.Version = int(v)
	case "reply":
		word, _ := n.Text()
		if p.Kind, p.HasKind = ParseKind(word); !p.HasKind {
			f.wrong(n.Pos, "reply is one of %s%s", strings.Join(Kinds(), ", "), newel.DidYouMean(word, Kinds()))
		}
	case "score":
		p.Scale = ReadScale(n, f.m)
	case "choices":
		p.Options = ReadOptions(n, f.m)
	case "pass":
		p.Pass = f.texts(n, "pass")
	case "needs":
		p.Needs = f.texts(n, "needs")
	case "examples": // read once the form is known
	default:
		if !strings.HasPrefix(e.Name, "x-") {
			f.wrong(e.Pos, "front matter has no key %q%s", e.Name, newel.DidYouMean(e.Name, frontKeys))
		}
	}
}

// agree looks at keys that speak of one another.
func (f *front) agree(n *newel.Node, p *Prompt) {
	at := func(key string) newel.Pos { return n.Field(key).Pos }
	switch {
	case p.Scale != nil && p.Kind != Score:
		f.wrong(at("score"), "score goes with reply: score")
	case p.Options != nil && p.Kind != Choice:
		f.wrong(at("choices"), "choices goes with reply: choice")
	case p.Pass != nil && p.Kind != Choice:
		f.wrong(at("pass"), "pass goes with reply: choice; of a score it stands in score")
	}
	for _, name := range p.Pass {
		if p.Options != nil && !slices.ContainsFunc(p.Options, func(o Option) bool { return o.Name == name }) {
			f.wrong(at("pass"), "pass names %q, which is none of the choices", name)
		}
	}
	if list := n.Field("examples"); list != nil {
		p.examples = f.examples(list, p)
	}
}

func (f *front) text(n *newel.Node, what string) string {
	text, ok := n.Text()
	if !ok || strings.TrimSpace(text) == "" {
		f.wrong(n.Pos, "%s is a text that is not empty; this is %s", what, n.Kind())
	}
	return text
}

func (f *front) texts(n *newel.Node, what string) []string {
	list := n.List
	if !n.IsList() {
		list = []*newel.Node{n}
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, f.text(e, what))
	}
	return out
}

// examples returns the worked examples as they stand in the prompt.
func (f *front) examples(n *newel.Node, p *Prompt) string {
	if !n.IsList() {
		f.wrong(n.Pos, "examples is a list of {given, answer, because}; this is %s", n.Kind())
		return ""
	}
	var b bytes.Buffer
	for _, e := range n.List {
		f.example(&b, e, p)
	}
	return b.String()
}

func (f *front) example(b *bytes.Buffer, n *newel.Node, p *Prompt) {
	if !n.IsMap() {
		f.wrong(n.Pos, "an example is a map of given, answer and because; this is %s", n.Kind())
		return
	}
	for _, e := range n.Fields {
		if !slices.Contains([]string{"given", "answer", "because"}, e.Name) {
			f.wrong(e.Pos, "an example has no key %q; it has given, answer and because", e.Name)
		}
	}
	given, answer, because := n.Field("given"), n.Field("answer"), n.Field("because")
	if given == nil || answer == nil || because == nil {
		f.wrong(n.Pos, "an example needs given, answer and because")
		return
	}
	if !given.IsMap() {
		f.wrong(given.Pos, "given is a map of what the case shows, such as {output: TEXT}; this is %s", given.Kind())
		return
	}
	b.WriteString("\n")
	for _, e := range given.Fields {
		b.WriteString(e.Name + ": " + f.text(e.Node, e.Name) + "\n")
	}
	b.WriteString("Answer: " + f.exampleAnswer(answer, p) + ". " + f.text(because, "because") + "\n")
}

// exampleAnswer checks that an example is answered as the prompt asks.
func (f *front) exampleAnswer(n *newel.Node, p *Prompt) string {
	form := Form{Kind: p.Kind, Options: p.Options}
	if p.Kind == Score {
		v, ok := newel.Float(n.Value)
		if !ok || !n.IsScalar() || p.Scale != nil && (v < p.Scale.Min || v > p.Scale.Max) {
			f.wrong(n.Pos, "the answer of an example is a score on the prompt's scale; this is %s", n.Kind())
		}
		return plain(v)
	}
	word := f.text(n, "answer")
	if words := form.words(); len(words) > 0 && !slices.Contains(words, word) {
		f.wrong(n.Pos, "the answer of an example is one of %s, not %q", strings.Join(words, ", "), word)
	}
	return word
}
