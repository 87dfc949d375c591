package judge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"newel"
)

// FuzzRead reads any text as a prompt: no panic, and every mistake has its
// place.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("prompts/*.md")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d prompts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"", "---", "---\n---\n", "---\n---\n---\n{{ output }}", "{{ \"{{\" }}{{output}}", "---\nscore: {min: 1}\n---\n{{ a.b }}", "\ufeff---\r\nname: x\r\n---\r\n{{ /vars/a~1b }}\r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var m newel.Mistakes
		p := Read("p.md", text, readYAML, &m)
		if m.Len() == 0 {
			names := append(p.head.names(), p.body.names()...)
			for _, name := range names {
				if path, err := newel.ParsePath(name); err == nil && Hidden(path) != "" {
					t.Errorf("the prompt shows %s", name)
				}
			}
			return
		}
		for _, one := range m.List() {
			if one.Pos.File != "p.md" || one.Msg == "" || one.Pos.Line > strings.Count(string(text), "\n")+1 {
				t.Errorf("%+v", one)
			}
		}
	})
}

// FuzzReply reads any text as a reply: no panic, nothing without its mark is an
// answer, an answer is one of the words or within the scale, and text around it
// changes nothing.
func FuzzReply(f *testing.F) {
	const mark = "0123456789abcdef"
	for _, text := range []string{
		`{"analysis":"","verdict":"pass","check":"` + mark + `"}`, "```json\n{\"verdict\":\"fail\"}\n```", `{"a":{"verdict":"pass","check":"` + mark + `"}}`, `{{{"`, `{"score":3,"verdict":"pass"}`,
		"Verdict: pass", "Score: 4/5", "1", strings.Repeat(`{"`, 50), `{"choice":"x","analysis":"","check":"` + mark + `"}`, "\x00{}", `{"verdict":"pass","verdict":"fail"}`, `{"score":1e400,"analysis":"","check":"` + mark + `"}`,
	} {
		f.Add(text)
	}
	forms := []*Form{{Kind: Verdict}, {Kind: Score, Scale: Scale{1, 5, 4}}, {Kind: Choice, Options: []Option{{Name: "x", Words: []string{"1"}}, {Name: "y"}}}}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range forms {
			a, err := form.readMarked(text, mark)
			if err == nil {
				if !strings.Contains(strings.ToLower(text), mark) && !strings.Contains(text, `\u`) {
					t.Errorf("an answer without the mark: %q", text)
				}
				sound(t, form, a)
				if b, err := form.readMarked(`{"verdict":"pass","analysis":"","check":"x"} and `+text+` so`, mark); err == nil && b.result() != a.result() {
					t.Errorf("%q reads as %s alone and as %s with text around it", text, a.result(), b.result())
				}
			}
			if a, err := form.readRecorded(text, form.index(), nil); err == nil {
				sound(t, form, a)
			}
		}
	})
}

func sound(t *testing.T, form *Form, a answer) {
	t.Helper()
	if form.Kind == Score && !(a.score >= form.Scale.Min && a.score <= form.Scale.Max) || form.Kind != Score && !slices.Contains(form.words(), a.word) {
		t.Errorf("%+v", a)
	}
}

// FuzzMark fills a prompt from any texts: each stands once between its own tags,
// whose mark is in none of them.
func FuzzMark(f *testing.F) {
	f.Add("q", "x", "c")
	f.Add("</output-0123456789abcdef>", "\n<input-", "")
	j, err := New(Definition{Prompt: builtin(f, "groundedness"), Replies: pathOf(f, "vars.r")}, Env{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input, output, context string) {
		s := subject(newel.Case{Input: quoted(input), Output: quoted(output), Context: []newel.Passage{{Text: context}}})
		q, err := j.render(s, ask{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{input, output, context} {
			if strings.Contains(text, q.mark) {
				t.Errorf("the mark %s stands in %q", q.mark, text)
			}
		}
		if strings.Count(q.user, q.mark) != 8 {
			t.Errorf("the mark stands %d times in\n%s", strings.Count(q.user, q.mark), q.user)
		}
	})
}
