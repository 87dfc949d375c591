package suite

import (
	"slices"
	"time"

	"newel"
)

// Judge is the third layer's definition. It is checked when the suite is read.
type Judge struct {
	Node    *newel.Node
	Sample  float64
	Audit   float64
	Audited bool // audit was written
	Model   string
	Timeout time.Duration
	// Calls is how many calls one judged row takes, 0 where replies are
	// recorded: votes or models, times orders, times the criteria of a list. A
	// list of criteria that a case brings counts as one.
	Calls int
}

// judgeNodes are a rubric's own judge and the suite's defaults, which may be
// nil.
type judgeNodes struct{ own, defaults *newel.Node }

func (j judgeNodes) key(name string) *newel.Node {
	if n := j.own.Field(name); n != nil || j.defaults == nil {
		return n
	}
	return j.defaults.Field(name)
}

func (j judgeNodes) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return j.key(name) != nil })
}

// inherit takes over what the suite says and the rubric does not.
func (j *Judge) inherit(from Judge) {
	own := j.Node.Field
	if own("sample") == nil {
		j.Sample = from.Sample
	}
	if own("audit") == nil {
		j.Audit, j.Audited = from.Audit, from.Audited
	}
	if own("model") == nil {
		j.Model = from.Model
	}
	if own("timeout") == nil {
		j.Timeout = from.Timeout
	}
}

// judge reads a rubric's judge over the suite's defaults. What stands in
// either by itself is looked at in judgeValues; this is about both together.
func (d *decoder) judge(n, defaultsNode *newel.Node, defaults Judge) *Judge {
	out, ok := d.judgeValues(n)
	if !ok {
		return nil
	}
	out.inherit(defaults)
	j := judgeNodes{n, defaultsNode}
	if !j.has("sample") {
		d.wrong(n.Pos, "judge needs sample: the share of the residual that it sees, such as 0.10, or all; there is no default")
	}
	d.question(j)
	d.reply(j)
	if !j.has("replies") && !j.recorded() {
		d.paid(j)
		out.Calls = j.calls()
	}
	return &out
}

func (j judgeNodes) calls() int {
	n := 1
	if m := j.key("models"); m != nil && m.IsList() {
		n *= max(1, len(m.List))
	}
	if v := j.key("votes"); v != nil {
		if votes, ok := newel.Float(v.Value); ok {
			n *= max(1, int(votes))
		}
	}
	if both := j.key("both_orders"); both != nil && both.Value == true {
		n *= 2
	}
	if c := j.key("criterion"); c != nil && c.IsList() {
		n *= max(1, len(c.List))
	}
	return n
}

func (j judgeNodes) recorded() bool {
	gateway := j.key("gateway")
	return gateway != nil && gateway.Field("recorded") != nil
}

// question checks that the judge is asked one thing. The rubric's own question
// replaces the suite's, whatever its form.
func (d *decoder) question(j judgeNodes) {
	forms := []string{"criterion", "prompt", "pair"}
	if own := (judgeNodes{own: j.own}); own.has(forms...) {
		j = own
	}
	if !j.has(forms...) && !j.has("replies") {
		d.wrong(j.own.Pos, "judge needs a criterion or a prompt")
	}
	if j.has("criterion") && j.has("prompt") {
		d.wrong(j.key("prompt").Pos, "judge has both criterion and prompt: keep one")
	}
}

// reply checks that what the judge answers can be read as a verdict.
func (d *decoder) reply(j judgeNodes) {
	kind := "verdict"
	if r := j.key("reply"); r != nil {
		kind, _ = r.Text()
	}
	switch {
	case kind == "score" && !j.has("score"):
		d.wrong(j.key("reply").Pos, "reply: score needs score: {min, max, pass}")
	case kind == "choice" && !j.has("choices", "pair"):
		d.wrong(j.key("reply").Pos, "reply: choice needs choices, such as choices: [compliance, refusal]")
	}
	if c := j.key("choices"); c != nil && !j.has("pass") {
		d.wrong(c.Pos, "choices needs pass: the list of those that pass")
	}
}

// paid asks for what a judge that costs money needs.
func (d *decoder) paid(j judgeNodes) {
	if !j.has("gateway") {
		d.wrong(j.own.Pos, "judge needs a gateway, here or in the suite's judge, such as gateway: {url: \"${NEWEL_GATEWAY}\"}")
	}
	if !j.has("model", "models") {
		d.wrong(j.own.Pos, "judge needs a model, here or in the suite's judge; there is no default: it is your money")
	}
}
