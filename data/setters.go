package data

import (
	"encoding/hex"
	"slices"
	"strconv"

	"newel"
)

// field reads the value of a whole field into the case.
func (b *builder) field(f field, at slot, v newel.Raw, r rank) {
	b.set[f] = true
	switch f {
	case fieldID:
		b.c.ID = b.name(at, v)
	case fieldCluster:
		b.c.Cluster = b.name(at, v)
	case fieldInput:
		b.c.Input = b.input(at, v)
	case fieldOutput:
		b.c.Output, _ = b.text(at, v)
	case fieldReference:
		b.c.Reference, _ = b.text(at, v)
	case fieldContext:
		b.c.Context = b.context(at, v)
	case fieldMedia:
		b.c.Media = b.media(at, v)
	case fieldTurns:
		b.c.Turns = b.texts(at, v)
	case fieldTags:
		b.c.Tags = b.texts(at, v)
	case fieldChecks:
		b.c.Checks = b.ownChecks(at, v)
	case fieldCriteria:
		b.c.Criteria = b.criteria(at, v)
	case fieldRun:
		b.c.Run = b.run(at, v)
	default:
		b.parts(f, at, v, r)
	}
}

// name reads an id or a cluster: a text, or a number as text.
func (b *builder) name(at slot, v newel.Raw) string {
	text := scalarText(v)
	switch kind := v.Kind(); {
	case kind != '"' && kind != '0':
		at.wrong(b, "want a text or a number, got %s", kindOf(v))
	case text == "":
		at.wrong(b, "the text is empty")
	}
	return text
}

// nth is the step to an element of a list. It leads nowhere in a value that
// stands for a list of one.
func nth(i int) []string { return []string{strconv.Itoa(i)} }

// input reads a text, or chat messages.
func (b *builder) input(at slot, v newel.Raw) newel.Raw {
	v, ok := b.text(at, v)
	switch kind := v.Kind(); {
	case !ok:
	case kind == '[':
		b.messages(at, v)
	case kind != '"':
		at.wrong(b, "want a text or a list of chat messages, got %s: map other values to vars.NAME", kindOf(v))
	}
	return v
}

// messages checks chat messages. Some sets keep those of each turn in a list
// of their own.
func (b *builder) messages(at slot, v newel.Raw) {
	for i, m := range elements(v) {
		if !isMessage(m) && (m.Kind() != '[' || slices.ContainsFunc(elements(m), func(e newel.Raw) bool { return !isMessage(e) })) {
			at.wrongAt(b, nth(i), "message %d is no {role, content}: want a text or a list of chat messages", i)
			return
		}
	}
}

func isMessage(v newel.Raw) bool {
	return v.Kind() == '{' && newel.Find(members(v), "role").Kind() == '"'
}

// context reads a text, or a list of texts and {id, text}.
func (b *builder) context(at slot, v newel.Raw) []newel.Passage {
	list := []newel.Raw{v}
	if v.Kind() == '[' {
		list = elements(v)
	}
	out := make([]newel.Passage, 0, len(list))
	for i, e := range list {
		p, ok := b.passage(at, i, e)
		if !ok {
			return nil
		}
		out = append(out, p)
	}
	return out
}

func (b *builder) passage(at slot, i int, v newel.Raw) (newel.Passage, bool) {
	var p newel.Passage
	v, ok := b.text(at, v)
	if !ok {
		return p, false
	}
	if text, ok := unquote(v); ok {
		p.Text = text
		return p, true
	}
	good := v.Kind() == '{'
	if good {
		fields := members(v)
		id := newel.Find(fields, "id")
		p.Text, good = unquote(newel.Find(fields, "text"))
		p.ID = scalarText(id)
		if id.Kind() == 'n' {
			p.ID = ""
		}
		good = good && (id == nil || id.Kind() == 'n' || id.Kind() == '"' || id.Kind() == '0')
	}
	if !good {
		at.wrongAt(b, nth(i), "passage %d is neither a text nor {id, text}", i)
	}
	return p, good
}

// media reads one medium or a list: {path or url, type, sha256}, or a text
// that is a path or URL. Data sets also say file for path, and describe media
// further: size, length. Those keys are passed over.
func (b *builder) media(at slot, v newel.Raw) []newel.Media {
	list := []newel.Raw{v}
	if v.Kind() == '[' {
		list = elements(v)
	}
	out := make([]newel.Media, 0, len(list))
	for i, e := range list {
		m, ok := b.medium(at, i, e)
		if !ok {
			return nil
		}
		out = append(out, m)
	}
	return out
}

func (b *builder) medium(at slot, i int, v newel.Raw) (m newel.Media, ok bool) {
	if text, ok := unquote(v); ok {
		m.Path = text
		if isURL(text) {
			m.Path, m.URL = "", text
		}
		return b.located(at, i, m)
	}
	if v.Kind() != '{' {
		at.wrongAt(b, nth(i), "medium %d: want {path: FILE} or {url: URL}, got %s", i, kindOf(v))
		return m, false
	}
	to := map[string]*string{"path": &m.Path, "file": &m.Path, "url": &m.URL, "type": &m.Type, "sha256": &m.SHA256}
	for _, f := range members(v) {
		if to[f.Name] == nil || f.Value.Kind() == 'n' {
			continue
		}
		if *to[f.Name], ok = unquote(f.Value); !ok {
			at.wrongAt(b, []string{strconv.Itoa(i), f.Name}, "medium %d: %s: want a text, got %s", i, f.Name, kindOf(f.Value))
			return m, false
		}
	}
	return b.located(at, i, m)
}

// located checks a medium and makes its path one of the suite.
func (b *builder) located(at slot, i int, m newel.Media) (newel.Media, bool) {
	if (m.Path == "") == (m.URL == "") {
		at.wrongAt(b, nth(i), "medium %d: want path or url, one of them and not both", i)
		return m, false
	}
	if raw, err := hex.DecodeString(m.SHA256); m.SHA256 != "" && (err != nil || len(raw) != 32) {
		at.wrongAt(b, nth(i), "medium %d: sha256: want 64 hexadecimal digits", i)
		return m, false
	}
	if m.Path == "" {
		return m, true
	}
	to, err := b.mediaPath(at, m.Path)
	if err != nil {
		at.wrongAt(b, nth(i), "medium %d: %v", i, err)
		return m, false
	}
	m.Path = to
	return m, true
}

// texts reads a list of texts.
func (b *builder) texts(at slot, v newel.Raw) []string {
	if v.Kind() != '[' {
		at.wrong(b, "want a list of texts, got %s", kindOf(v))
		return nil
	}
	list := elements(v)
	out := make([]string, len(list))
	for i, e := range list {
		text, ok := unquote(e)
		if !ok {
			at.wrongAt(b, nth(i), "want a list of texts, got %s in it", kindOf(e))
			return nil
		}
		out[i] = text
	}
	return out
}

// ownChecks reads a case's own checks. What they mean is for others to say.
func (b *builder) ownChecks(at slot, v newel.Raw) newel.Raw {
	if v.Kind() != '[' {
		at.wrong(b, "want a list of checks, got %s", kindOf(v))
	}
	return v
}

// criteria reads a text or a list of texts.
func (b *builder) criteria(at slot, v newel.Raw) newel.Raw {
	v, ok := b.text(at, v)
	switch {
	case !ok, v.Kind() == '"':
	case v.Kind() != '[' || slices.ContainsFunc(elements(v), func(e newel.Raw) bool { return e.Kind() != '"' }):
		at.wrong(b, "want a text or a list of texts, got %s", kindOf(v))
	}
	return v
}

// runKeys lists what run may hold.
var runKeys = [...]string{"latency_ms", "cost_usd", "usage"}

// run reads what is known of the call that made a recorded output.
func (b *builder) run(at slot, v newel.Raw) newel.Raw {
	if v.Kind() != '{' {
		at.wrong(b, "want {latency_ms, cost_usd, usage}, got %s", kindOf(v))
		return nil
	}
	for _, f := range members(v) {
		switch {
		case !slices.Contains(runKeys[:], f.Name):
			at.wrongAt(b, []string{f.Name}, "it has no key %s%s", quote(f.Name), newel.DidYouMean(f.Name, runKeys[:]))
		case f.Value.Kind() == 'n':
		case f.Name == "usage" && f.Value.Kind() != '{':
			at.wrongAt(b, []string{f.Name}, "usage: want an object of token counts, got %s", kindOf(f.Value))
		case f.Name != "usage" && (f.Value.Kind() != '0' || !notNegative(f.Value)):
			at.wrongAt(b, []string{f.Name}, "%s: want a number that is not negative, got %.40s", f.Name, f.Value)
		}
	}
	return v
}
