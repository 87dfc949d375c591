package suite

import (
	"slices"
	"strings"

	"newel"
	"newel/judge"
)

// inner are prompts that other keys ask for.
var inner = []string{"question", "scored", "classed"}

// builtins lists the prompts that a suite may name.
func builtins() []string {
	return slices.DeleteFunc(judge.Builtins(), func(name string) bool { return slices.Contains(inner, name) })
}

// asked returns what a judge is asked: its prompt, or the built-in one of its
// criterion or pair. Nil: nothing, or a mistake that is noted.
func (d *decoder) asked(q, j judgeNodes) *judge.Prompt {
	switch pair := q.key("pair"); {
	case q.key("prompt") != nil:
		return d.prompt(q.key("prompt"))
	case q.key("criterion") != nil:
		return builtin(j.criterionPrompt(), "1")
	case pair != nil && len(pair.List) == 2:
		return builtin("pairwise", "1")
	}
	return nil
}

// criterionPrompt is the built-in prompt for the kind of answer that a criterion
// is to have.
func (j judgeNodes) criterionPrompt() string {
	word := ""
	if r := j.key("reply"); r != nil {
		word, _ = r.Text()
	}
	switch {
	case j.key("pass_on") != nil:
		return "question"
	case word == "score", word == "" && j.has("score"):
		return "scored"
	case word == "choice", word == "" && j.has("choices"):
		return "classed"
	}
	return "criterion"
}

// builtin returns a built-in prompt. That all of them read is tested.
func builtin(name, version string) *judge.Prompt {
	p, err := judge.Builtin(name, version, ParseYAML)
	if err != nil {
		return nil
	}
	return p
}

// prompt reads builtin:NAME@N, file:PATH or the prompt itself.
func (d *decoder) prompt(n *newel.Node) *judge.Prompt {
	text := d.text(n, "prompt")
	if file, ok := strings.CutPrefix(text, "file:"); ok {
		data, err := d.files.Read(file)
		if err != nil {
			d.wrong(n.Pos, "prompt: %v", err)
			return nil
		}
		return judge.Read(file, data, ParseYAML, d.m)
	}
	name, ok := strings.CutPrefix(text, "builtin:")
	if !ok {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return judge.Inline(n.Pos, text, d.m)
	}
	return d.builtinPrompt(n, name)
}

func (d *decoder) builtinPrompt(n *newel.Node, name string) *judge.Prompt {
	name, version, versioned := strings.Cut(name, "@")
	switch known := builtins(); {
	case !contains(known, name):
		d.wrong(n.Pos, "there is no builtin prompt %q%s; there are %s", name, newel.DidYouMean(name, known), strings.Join(known, ", "))
	case !versioned:
		d.wrong(n.Pos, "a builtin prompt is written with its version, so that it never changes unseen: builtin:%s@1", name)
	case version != "1":
		d.wrong(n.Pos, "builtin prompt %q has version 1 only: builtin:%s@1", name, name)
	case name == "criterion":
		d.wrong(n.Pos, "builtin:criterion@1 asks about a criterion: write it as criterion: TEXT, in place of the prompt")
	default:
		return builtin(name, version)
	}
	return nil
}

// shows checks that a prompt shows what is to be compared.
func (d *decoder) shows(q judgeNodes, def *judge.Definition) {
	prompt := q.key("prompt")
	if prompt == nil || def.Prompt == nil || q.has("criterion") {
		return
	}
	pair := def.Pair[0] != ""
	asks := def.Prompt.Asks("first") || def.Prompt.Asks("second")
	switch {
	case !def.Prompt.Shows() && !def.Media:
		d.wrong(prompt.Pos, "the prompt shows nothing of the case: write {{ output }} where the output is to stand")
	case asks && !pair:
		d.wrong(prompt.Pos, "%s compares two outputs: name them with pair: [a, b]", def.Prompt.Name)
	case pair && !(def.Prompt.Asks("first") && def.Prompt.Asks("second")):
		d.wrong(prompt.Pos, "the prompt compares a pair and must show both: {{ first }} and {{ second }}")
	}
}
