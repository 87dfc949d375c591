package check

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// families says what each family is for, on the reference page.
var families = map[string]string{
	"schema":     "The output has a form: JSON, a schema, tool calls, XML, SQL, columns.",
	"regex":      "Patterns and lists of words that must or must not be there.",
	"structural": "Lengths, counts, ranges, fields, steps, expressions and verifiable instructions.",
	"citation":   "The output says where it has things from, and they are there.",
	"reference":  "The output is compared with a value: written in the suite, or the case's own.",
	"run":        "The target's own call: time, cost, tokens.",
	"group":      "Checks of checks.",
}

// widest is how wide texts for people become where there is room.
const widest = 88

// List writes the names of all checks by family, each with its first sentence.
func List(w io.Writer) error { return ListWidth(w, widest+10) }

// ListWidth is List with lines of at most width columns, 40 at least.
func ListWidth(w io.Writer, width int) error {
	width = max(width, 40)
	var b bytes.Buffer
	for _, family := range Families() {
		b.WriteString(wrap(family+": "+families[family], "", width) + "\n")
		for _, s := range ofFamily(family) {
			fmt.Fprintf(&b, "  %-15s %s\n", s.Name, inShort(s.About, min(80, width-18)))
		}
		b.WriteByte('\n')
	}
	b.WriteString("newel checks NAME tells more.\n")
	_, err := w.Write(b.Bytes())
	return err
}

func ofFamily(family string) []*Spec {
	var out []*Spec
	for _, s := range Table() {
		if s.Family == family {
			out = append(out, s)
		}
	}
	return out
}

// inShort is the first sentence of text, as much of it as fits width.
func inShort(text string, width int) string {
	sentence, _, more := strings.Cut(text, ". ")
	lines := strings.Split(wrap(sentence, "", width-2), "\n")
	switch {
	case len(lines) > 1:
		return strings.TrimRight(lines[0], ",;:") + " …"
	case more:
		return sentence + "."
	}
	return sentence
}

// Explain writes what there is to know about one check. It is an error for
// there to be none of that name.
func Explain(w io.Writer, name string) error { return ExplainWidth(w, name, widest) }

// ExplainWidth is Explain with text broken at width columns, 40 at least and 88
// at most. The example and words too long for a line stay whole.
func ExplainWidth(w io.Writer, name string, width int) error {
	width = min(max(width, 40), widest)
	s, ok := Find(name)
	if !ok {
		return fmt.Errorf("there is no check %q", name)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s (%s)\n\n%s\n\n", s.Name, s.Family, wrap(s.About, "", width))
	head := "Parameters"
	if s.Main != "" {
		head += fmt.Sprintf(" (%s: X is short for %s: {%s: X})", s.Name, s.Name, s.Main)
	}
	b.WriteString(wrap(head, "", width) + "\n")
	for _, p := range s.All() {
		fmt.Fprintf(&b, "%s\n%s\n", hanging(p.Name+": "+p.Type+p.fallback(), width), wrap(p.About, "      ", width))
	}
	anyOf := "Any of them but name, settles, allow and paths may be {from: PATH}; the few that are the same for all cases are refused when the suite is read."
	fmt.Fprintf(&b, "\n%s\n\nExample\n  - %s\n", wrap(anyOf, "", min(width, 80)), s.Example)
	if s.Source != "" {
		fmt.Fprintf(&b, "\nSource\n%s\n", wrap(s.Source, "  ", width))
	}
	if s.Approximate != "" {
		fmt.Fprintf(&b, "\nNot exact\n%s\n", wrap(s.Approximate, "  ", width))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// hanging wraps text after two blanks, its further lines after four.
func hanging(text string, width int) string {
	first, rest, more := strings.Cut(wrap(text, "  ", width), "\n")
	if !more {
		return first
	}
	return first + "\n" + wrap(rest, "    ", width)
}

// fallback says what holds where a parameter is not written.
func (p *Param) fallback() string {
	switch {
	case p.Required:
		return " (required)"
	case p.Default != "":
		return " (default " + p.Default + ")"
	}
	return ""
}

// wrap breaks text into lines of at most width characters, each after indent.
func wrap(text, indent string, width int) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(indent)+len(line)+1+len(word) > width {
			lines = append(lines, indent+line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, indent+line), "\n")
}

// Reference writes the reference page of all checks, in Markdown.
func Reference(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(referenceHead)
	writeParams(&b, common)
	b.WriteString("\nMany checks read a text or JSON through the same two:\n\n")
	writeParams(&b, readingParams)
	b.WriteString("\nComparisons of texts make both sides alike through:\n\n")
	writeParams(&b, foldParams)
	for _, family := range Families() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", family, families[family])
		for _, s := range ofFamily(family) {
			s.writeReference(&b)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

const referenceHead = `<!-- Written from the table of package check by its test with -update; do not edit. -->
# Checks

A check is a line under ` + "`floor:`" + `: its name, or a map of its name to parameters. A text, number or
list in place of the map is the main parameter. Any parameter but ` + "`name`, `settles`, `allow`" + ` and the
paths may be ` + "`{from: PATH}`" + `, and is then read from each case: one of a wrong form is an error of kind
definition, one that is not there an error of kind case. The few that are the same for all cases are
refused when the suite is read. An output that cannot be read as a check asks is a fail.

A check that gives a number passes from ` + "`min` on and up to `max`" + `; without either it only reports.
` + "`newel checks NAME`" + ` prints one entry of this page.

## Parameters of every check

`

func (s *Spec) writeReference(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n```yaml\n- %s\n```\n", s.Name, s.About, s.Example)
	if len(s.Params) > 0 {
		b.WriteString("\n")
		writeParams(b, s.Params)
	}
	if s.Main != "" {
		fmt.Fprintf(b, "\nMain parameter: `%s`.", s.Main)
	}
	if names := codeList(s.Extra); names != "" {
		fmt.Fprintf(b, "\nAlso: %s.", names)
	}
	if s.Source != "" {
		fmt.Fprintf(b, "\nSource: %s.", strings.TrimSuffix(s.Source, "."))
	}
	if s.Approximate != "" {
		fmt.Fprintf(b, "\nNot exact: %s", s.Approximate)
	}
	if s.Main != "" || len(s.Extra) > 0 || s.Source != "" || s.Approximate != "" {
		b.WriteString("\n")
	}
}

func codeList(params []Param) string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = "`" + p.Name + "`"
		if p.Name == "normalize" && p.Default != "" {
			names[i] += " (default " + p.Default + ")"
		}
	}
	return strings.Join(names, ", ")
}

func writeParams(b *bytes.Buffer, params []Param) {
	b.WriteString("| parameter | type | default | meaning |\n|---|---|---|---|\n")
	for _, p := range params {
		fallback := p.Default
		if p.Required {
			fallback = "required"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, cell(p.Type), cell(fallback), cell(p.About))
	}
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
