package target

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"newel"
)

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"plain", "{{ input }}", `{{ "{{" }}`, "${A}{{/vars/a.b}}", "{{ a {{ b }}", `{"a": "{{ input }}", "b": {{ messages }}}`, "$${", "{{", "}}", "{{ turn }}\x00"} {
		f.Add(seed, "value {{ id }} ${A}")
	}
	f.Fuzz(func(t *testing.T, text, input string) {
		parts, problems := scan(text, syntax{variables: true, fields: true})
		for _, p := range problems {
			if p.offset < 0 || p.offset >= len(text) || p.text == "" {
				t.Fatalf("problem %+v of %q", p, text)
			}
		}
		sc := &scope{subject: newel.NewSubject(item(&newel.Case{ID: "the id", Input: newel.AppendString(nil, input)})), turn: "t"}
		vars := newSecrets(nil, func(string) (string, bool) { return "v", true })
		got, fault := parts.render(sc, vars)
		if !strings.Contains(text, "{{") && !strings.Contains(text, "${") && got != text {
			t.Errorf("%q without marks became %q", text, got)
		}
		if fault == nil && placeInJSON(parts) == nil && len(problems) == 0 {
			filled, fault := parts.render(sc, secretsInJSON())
			if fault != nil {
				return
			}
			if _, err := newel.ParseJSON([]byte(filled)); err != nil && len(parts.variables()) == 0 {
				t.Errorf("%q is JSON until it is filled with %q: %v", text, input, err)
			}
		}
	})
}

func secretsInJSON() *secrets {
	return newSecrets(nil, func(string) (string, bool) { return "0", true })
}

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"http://h/{{ input }}", "${A}/x?q={{ input }}", "https://u:p@h/{{ id }}", "http://h?{{ id }}", "{{ id }}"} {
		f.Add(seed, "../@evil/?#")
	}
	f.Fuzz(func(t *testing.T, text, input string) {
		var m newel.Mistakes
		a := parseAddress(&newel.Node{Value: text}, true, &m)
		if m.Len() > 0 || len(a.text.variables()) > 0 {
			return
		}
		a.secrets = newSecrets(nil, nil)
		host := func(input string) string {
			u, fault := a.fill(&scope{subject: newel.NewSubject(item(&newel.Case{ID: "i", Input: newel.AppendString(nil, input)}))})
			if fault != nil {
				return ""
			}
			return u.Host
		}
		if plain, filled := host("a"), host(input); plain != "" && filled != "" && plain != filled {
			t.Errorf("%q filled with %q goes to %q, not %q", text, input, filled, plain)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{"id":1,"output":"x"}`, `{"id":1,"output":{"role":"assistant"},"context":["a"],"run":{"cost_usd":1}}`, `{"id":1,"error":"x"}`, `{"id":2}`, "", "x\ny", `{"id":1,"output":1e400}`, `{"id":1,"error":{"kind":"case"}}`} {
		f.Add([]byte(seed+"\n"), 100)
	}
	f.Fuzz(func(t *testing.T, data []byte, most int) {
		most = max(1, most%1000)
		r := bufio.NewReaderSize(bytes.NewReader(data), 16)
		for {
			line, err := readLine(r, most)
			if err != nil {
				return
			}
			if len(line) >= most || bytes.IndexByte(line, '\n') >= 0 {
				t.Fatalf("line %q of at most %d bytes", line, most)
			}
			reply, fault, err := readAnswer(line, 1)
			given := 0
			for _, is := range []bool{reply != nil, fault != nil, err != nil} {
				if is {
					given++
				}
			}
			if given != 1 {
				t.Fatalf("%q gives %v, %v, %v", line, reply, fault, err)
			}
			if reply != nil {
				if _, err := newel.ParseJSON(reply.output); err != nil {
					t.Errorf("output %q: %v", reply.output, err)
				}
			}
		}
	})
}
