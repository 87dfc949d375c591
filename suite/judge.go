package suite

import (
	"slices"
	"time"

	"newel"
	"newel/judge"
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
	// Def is what the judge asks and how it reads the answers. Its Rubric is
	// empty.
	Def judge.Definition
	// Gateway is where the model is reached; nil where a case brings the replies.
	Gateway *Gateway
	// InFlight and Rate bound the calls of the whole run; 0: not said.
	InFlight int
	Rate     Rate
}

// Rate is how much is asked a minute; 0: not said.
type Rate struct{ Requests, Tokens int }

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

// only returns j without its defaults where the rubric itself has one of some
// keys that stand for one another.
func (j judgeNodes) only(names ...string) judgeNodes {
	if own := (judgeNodes{own: j.own}); own.has(names...) {
		return own
	}
	return j
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
	if own("gateway") == nil {
		j.Gateway = from.Gateway
	}
	if own("in_flight") == nil {
		j.InFlight = from.InFlight
	}
	if own("rate") == nil {
		j.Rate = from.Rate
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
	if j.has("replies") {
		out.Gateway = nil
	} else if !j.recorded() {
		d.paid(j)
	}
	out.Def = d.define(j, &out)
	out.Calls = out.Def.Calls()
	return &out
}

func (j judgeNodes) recorded() bool {
	gateway := j.key("gateway")
	return gateway != nil && gateway.Field("recorded") != nil
}

// questions are the keys that say what is asked. The rubric's own replace the
// suite's, whatever their form.
var questions = []string{"criterion", "prompt", "pair"}

// question checks that the judge is asked one thing.
func (d *decoder) question(j judgeNodes) {
	j = j.only(questions...)
	if !j.has(questions...) && !j.has("replies") {
		d.wrong(j.own.Pos, "judge needs a criterion or a prompt")
	}
	if j.has("criterion") && j.has("prompt") {
		d.wrong(j.key("prompt").Pos, "judge has both criterion and prompt: keep one")
	}
	if j.has("criterion") && j.has("pair") {
		d.wrong(j.key("pair").Pos, "judge has both criterion and pair: a pair is compared by a prompt, builtin:pairwise@1 unless another is written")
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

// Choices lists what the judge of each rubric may choose, as rows show it; nil
// where it answers otherwise. Of a pair a tie is among them: between two orders
// it arises by itself.
func (s *Suite) Choices() [][]string {
	out := make([][]string, len(s.Rubrics))
	for i, r := range s.Rubrics {
		if r.Judge == nil || r.Judge.Def.Form.Kind != judge.Choice {
			continue
		}
		out[i] = r.Judge.Def.Names()
		if r.Judge.Def.BothOrders && !slices.Contains(out[i], judge.Tie) {
			out[i] = append(out[i], judge.Tie)
		}
	}
	return out
}
