package suite

import (
	"slices"
	"strings"

	"newel"
)

// Override sets a key of the suite's judge, in place of what the file says.
type Override struct {
	Key, Value string
	// From is where it was written, such as "--a model=gpt-5-mini": mistakes name
	// it.
	From string
}

// Overridable lists the keys that an Override may set; params.NAME stands for
// any parameter.
func Overridable() []string {
	return []string{"model", "prompt", "votes", "gateway.url", "gateway.name", "gateway.key_env", "gateway.dialect", "params.NAME"}
}

// override changes a definition before it is read. A key is set for the suite's
// judge, and for each rubric's own that writes it, since that one would win.
// Rubrics that read recorded replies are left alone.
func override(root *newel.Node, list []Override, m *newel.Mistakes) {
	for _, o := range list {
		e := edit{o, newel.Pos{File: o.From}, m}
		if value := e.value(); value != nil {
			e.apply(root, value)
		}
	}
}

// edit is one override under way.
type edit struct {
	Override
	pos newel.Pos
	m   *newel.Mistakes
}

// value is the node to put in; nil where something is wrong, which is noted.
func (e *edit) value() *newel.Node {
	name, param := strings.CutPrefix(e.Key, "params.")
	switch {
	case param && name == "":
		e.m.Add(e.pos, "params. needs the name of a parameter, such as params.temperature=0")
		return nil
	case !param && !slices.Contains(Overridable(), e.Key):
		e.m.Add(e.pos, "there is no key %q to set%s; there are %s", e.Key, newel.DidYouMean(e.Key, Overridable()), strings.Join(Overridable(), ", "))
		return nil
	case strings.TrimSpace(e.Value) == "":
		e.m.Add(e.pos, "%s is set to nothing", e.Key)
		return nil
	case param || e.Key == "votes":
		n := ParseYAML(e.From, []byte(e.Value), e.m)
		if n != nil {
			n.Pos = e.pos
		}
		return n
	}
	return &newel.Node{Pos: e.pos, Value: e.Value}
}

// apply sets the key wherever it is read.
func (e *edit) apply(root *newel.Node, value *newel.Node) {
	if !root.IsMap() {
		return // noted where the suite is read
	}
	own := ownJudges(root)
	for _, judge := range own {
		if asRecorded(judge) {
			e.keep(judge, root.Field("judge"))
		}
	}
	set := e.setSuite(root, own, value)
	for _, judge := range own {
		if !asRecorded(judge) {
			set = e.setOwn(judge, value) || set
		}
	}
	if !set {
		e.m.Add(e.pos, "no rubric would read it: each has a question of its own")
	}
}

// ownJudges lists the judges of rubrics.
func ownJudges(root *newel.Node) []*newel.Node {
	var out []*newel.Node
	rubrics := root.Field("rubrics")
	if rubrics == nil {
		return nil
	}
	for _, r := range rubrics.List {
		if judge := fieldOf(r, "judge"); judge != nil && judge.IsMap() {
			out = append(out, judge)
		}
	}
	return out
}

// keep writes into a judge of recorded replies what it had of the suite's: how
// many replies it reads, and whose.
func (e *edit) keep(judge, defaults *newel.Node) {
	if defaults == nil || !defaults.IsMap() {
		defaults = emptyMap(e.pos)
	}
	switch {
	case e.Key == "votes" && judge.Field("votes") == nil:
		if had := defaults.Field("votes"); had != nil {
			put(judge, "votes", had)
		} else {
			put(judge, "votes", &newel.Node{Pos: judge.Pos, Value: 1.0})
		}
	case e.Key == "model" && judge.Field("model") == nil && judge.Field("models") == nil:
		for _, name := range []string{"model", "models"} {
			if had := defaults.Field(name); had != nil {
				put(judge, name, had)
			}
		}
	}
}

func fieldOf(n *newel.Node, name string) *newel.Node {
	if !n.IsMap() {
		return nil
	}
	return n.Field(name)
}

// asRecorded reports whether a rubric's own judge reads recorded replies.
func asRecorded(judge *newel.Node) bool {
	gateway := fieldOf(judge, "gateway")
	return judge.Field("replies") != nil || gateway != nil && fieldOf(gateway, "recorded") != nil
}

// setSuite sets the key for the suite's judge, and reports whether it can have
// an effect there. A prompt that no rubric would read is not put in.
func (e *edit) setSuite(root *newel.Node, own []*newel.Node, value *newel.Node) bool {
	judge := root.Field("judge")
	if e.Key == "prompt" && !slices.ContainsFunc(own, asksSuites) {
		return false
	}
	if judge == nil {
		judge = emptyMap(e.pos)
		put(root, "judge", judge)
	}
	if judge.IsMap() {
		e.set(judge, value)
	}
	return true
}

// asksSuites reports whether a rubric's judge asks what the suite's says.
func asksSuites(own *newel.Node) bool {
	return own.Field("replies") == nil && !slices.ContainsFunc(questions, func(q string) bool { return own.Field(q) != nil })
}

// setOwn sets the key in a rubric's own judge where it is written there.
func (e *edit) setOwn(judge, value *newel.Node) bool {
	first, _, _ := strings.Cut(e.Key, ".")
	if judge.Field(first) == nil && !(e.Key == "model" && judge.Field("models") != nil) {
		return false
	}
	e.set(judge, value)
	return true
}

// set puts the value in. What it replaces goes: several models, a criterion in
// place of a prompt, recorded replies.
func (e *edit) set(judge, value *newel.Node) {
	parent, name, nested := strings.Cut(e.Key, ".")
	if !nested {
		switch e.Key {
		case "model":
			remove(judge, "models")
		case "prompt":
			remove(judge, "criterion")
		}
		put(judge, e.Key, value)
		return
	}
	into := judge.Field(parent)
	if into == nil {
		into = emptyMap(e.pos)
		put(judge, parent, into)
	}
	if !into.IsMap() {
		return // noted where the suite is read
	}
	if e.Key == "gateway.url" {
		remove(into, "recorded")
	}
	put(into, name, value)
}

func emptyMap(pos newel.Pos) *newel.Node {
	return &newel.Node{Pos: pos, Fields: []*newel.Field{}}
}

// put sets a map's entry, at its end where it is new.
func put(n *newel.Node, name string, value *newel.Node) {
	for _, f := range n.Fields {
		if f.Name == name {
			f.Pos, f.Node = value.Pos, value
			return
		}
	}
	n.Fields = append(n.Fields, &newel.Field{Name: name, Pos: value.Pos, Node: value})
}

func remove(n *newel.Node, name string) {
	n.Fields = slices.DeleteFunc(n.Fields, func(f *newel.Field) bool { return f.Name == name })
}
