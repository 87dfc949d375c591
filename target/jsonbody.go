package target

import (
	"encoding/json"
	"strings"

	"newel"
)

// jsonTemplate turns a map, list or scalar of the suite into the text of a JSON
// body. A text that is nothing but {{ path }} becomes the value itself, be it a
// list or a map.
func jsonTemplate(n *newel.Node, m *newel.Mistakes) template {
	switch {
	case n.IsMap():
		t := template{{literal: "{"}}
		for i, f := range n.Fields {
			if strings.Contains(f.Name, "{{") {
				m.Add(f.Pos, "the key %q: values of a case cannot stand in keys", f.Name)
			}
			key := string(newel.AppendString(nil, f.Name)) + ":"
			if i > 0 {
				key = "," + key
			}
			t = append(t, part{literal: key})
			t = append(t, jsonTemplate(f.Node, m)...)
		}
		return append(t, part{literal: "}"})
	case n.IsList():
		t := template{{literal: "["}}
		for i, e := range n.List {
			if i > 0 {
				t = append(t, part{literal: ","})
			}
			t = append(t, jsonTemplate(e, m)...)
		}
		return append(t, part{literal: "]"})
	}
	if text, ok := n.Text(); ok {
		return textTemplate(parseTemplate(n.Pos, text, syntax{fields: true}, m))
	}
	raw, err := json.Marshal(n.Value)
	if err != nil {
		m.Add(n.Pos, "%v is not a JSON value", n.Value)
	}
	return template{{literal: string(raw)}}
}

func textTemplate(t template) template {
	if len(t) == 1 && t[0].isField() {
		return t.at(asJSON)
	}
	out := template{{literal: `"`}}
	for _, p := range t.at(inJSON) {
		if p.literal != "" {
			quoted := newel.AppendString(nil, p.literal)
			p.literal = string(quoted[1 : len(quoted)-1])
		}
		out = append(out, p)
	}
	return append(out, part{literal: `"`})
}

// placeInJSON finds for each value of a JSON text whether it stands within a
// string or by itself. The error says why the text, its values aside, is not
// JSON.
func placeInJSON(t template) error {
	var sample strings.Builder
	quoted, escaped := false, false
	for i, p := range t {
		if p.literal == "" {
			t[i].place = asJSON
			word := "null"
			if quoted {
				t[i].place, word = inJSON, "x"
			}
			sample.WriteString(word)
			continue
		}
		for _, c := range []byte(p.literal) {
			switch {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			}
		}
		sample.WriteString(p.literal)
	}
	_, err := newel.ParseJSON([]byte(sample.String()))
	return err
}
