package suite

import (
	"maps"
	"math"

	"newel"
	"newel/judge"
)

// define puts a judge's keys together into its definition, once each was looked
// at by itself.
func (d *decoder) define(j judgeNodes, out *Judge) judge.Definition {
	asked := j.only(questions...)
	def := judge.Definition{
		Gateway: out.Gateway.Called(),
		Timeout: judge.DefaultTimeout, Retries: judge.DefaultRetries, Votes: 1,
	}
	if name := j.key("name"); name != nil {
		def.Name, _ = name.Text()
	}
	if out.Timeout > 0 {
		def.Timeout = out.Timeout
	}
	if pair := asked.key("pair"); pair != nil && len(pair.List) == 2 {
		def.Pair[0], _ = pair.List[0].Text()
		def.Pair[1], _ = pair.List[1].Text()
	}
	def.Models = models(j.only("model", "models"))
	def.Prompt = d.asked(asked, j)
	if c := asked.key("criterion"); c != nil {
		def.Criteria = textsFrom(c)
	}
	d.numbers(j, &def)
	d.flags(j, &def)
	d.recordings(j, &def)
	d.form(j, &def)
	d.shows(asked, &def)
	return def
}

func models(j judgeNodes) []judge.Text {
	list := j.key("models")
	if list == nil {
		list = j.key("model")
	}
	if list == nil {
		return nil
	}
	if !list.IsList() {
		return []judge.Text{textFrom(list)}
	}
	out := make([]judge.Text, len(list.List))
	for i, e := range list.List {
		out[i] = textFrom(e)
	}
	return out
}

// textFrom reads a text, or {from: PATH}, that was looked at already.
func textFrom(n *newel.Node) judge.Text {
	if path, ok := pathFrom(n); ok {
		return judge.Text{From: path}
	}
	text, _ := n.Text()
	return judge.Text{Const: text}
}

// textsFrom reads a text, a list of texts, or {from: PATH}.
func textsFrom(n *newel.Node) judge.Texts {
	if path, ok := pathFrom(n); ok {
		return judge.Texts{From: path}
	}
	list := n.List
	if !n.IsList() {
		list = []*newel.Node{n}
	}
	out := make([]string, len(list))
	for i, e := range list {
		out[i], _ = e.Text()
	}
	return judge.Texts{Const: out}
}

// pathFrom reads {from: PATH}; false for anything else, and for a path that is
// none, which is noted elsewhere.
func pathFrom(n *newel.Node) (newel.Path, bool) {
	from := n.Field("from")
	if from == nil || len(n.Fields) != 1 {
		return newel.Path{}, false
	}
	text, _ := from.Text()
	path, err := newel.ParsePath(text)
	return path, err == nil
}

func (d *decoder) numbers(j judgeNodes, def *judge.Definition) {
	if v := j.key("votes"); v != nil {
		def.Votes = max(1, wholeOf(v))
	}
	if r := j.key("retries"); r != nil {
		def.Retries = wholeOf(r)
	}
	params := j.key("params")
	if params == nil || !params.IsMap() {
		return
	}
	values, _ := params.Any().(map[string]any)
	def.Params = maps.Clone(values)
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if n := params.Field(name); n != nil {
			def.MaxTokens = wholeOf(n)
		}
	}
}

func wholeOf(n *newel.Node) int {
	f, ok := newel.Float(n.Value)
	if !ok || math.Abs(f) > 1e9 {
		return 0
	}
	return int(f)
}

func (d *decoder) flags(j judgeNodes, def *judge.Definition) {
	is := func(name string, value bool) bool {
		n := j.key(name)
		return n != nil && n.Value == value
	}
	def.Media, def.Logprobs, def.Free = is("media", true), is("logprobs", true), is("structured", false)
	def.BothOrders = is("both_orders", true)
	if def.BothOrders && def.Pair[0] == "" {
		d.ownWrong(j, "both_orders", "both_orders goes with pair: [a, b]")
	}
	def.BothOrders = def.BothOrders && def.Pair[0] != ""
	if at := j.key("at"); at != nil {
		text, _ := at.Text()
		def.At, _ = newel.ParsePath(text)
	}
}

// recordings reads replies that were recorded.
func (d *decoder) recordings(j judgeNodes, def *judge.Definition) {
	if r := j.key("replies"); r != nil {
		path, ok := pathFrom(r)
		if !ok {
			path, _ = newel.ParsePath("vars") // the mistake is noted
		}
		def.Replies = path
	} else if j.recorded() {
		def.Recording = d.recording(j.key("gateway").Field("recorded"))
	}
	if e := j.key("extract"); e != nil {
		def.Extract = d.extract(e)
		if def.Replies.IsZero() && def.Recording == nil {
			d.ownWrong(j, "extract", "extract reads recorded replies; a model that is asked answers in a form that needs none")
		}
	}
}

func (d *decoder) recording(n *newel.Node) *judge.Recording {
	name, _ := n.Text()
	data, err := d.files.Read(name)
	if err != nil {
		d.wrong(n.Pos, "gateway: recorded: %v", err)
		return &judge.Recording{}
	}
	return judge.ReadRecording(name, data, d.m)
}
