package suite

import (
	"strings"
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
}

var judgeKeys = []string{"criterion", "prompt", "sample", "audit", "reply", "score", "choices", "pass", "pass_on", "model", "models",
	"votes", "media", "params", "timeout", "retries", "replies", "gateway", "pair", "both_orders", "in_flight", "rate", "at", "name", "logprobs"}

// judge reads a rubric's judge over the suite's defaults.
func (d *decoder) judge(n, defaults *newel.Node) *Judge {
	if !d.object(n, "judge", judgeKeys...) {
		return nil
	}
	if defaults != nil && !d.object(defaults, "judge", judgeKeys...) {
		return nil
	}
	key := func(name string) *newel.Node {
		if own := n.Field(name); own != nil || defaults == nil {
			return own
		}
		return defaults.Field(name)
	}
	j := &Judge{Node: n}
	d.sample(n, key("sample"), j)
	if a := key("audit"); a != nil {
		j.Audit, j.Audited = d.number(a, "audit", 0, 1), true
	}
	d.question(n, key)
	d.reply(n, key)
	if g := key("gateway"); g != nil && d.object(g, "gateway", "name", "url", "dialect", "key_env", "headers", "recorded") {
		d.gateway(g)
	}
	if t := key("timeout"); t != nil {
		j.Timeout = d.duration(t, "timeout")
	}
	if v := key("votes"); v != nil {
		d.whole(v, "votes", 1, 99)
	}
	if v := key("in_flight"); v != nil {
		d.whole(v, "in_flight", 1, 100_000)
	}
	if key("replies") == nil && !recorded(key("gateway")) {
		d.paidJudge(n, key, j)
	}
	return j
}

func recorded(gateway *newel.Node) bool { return gateway != nil && gateway.Field("recorded") != nil }

func (d *decoder) sample(n, sample *newel.Node, j *Judge) {
	if sample == nil {
		d.wrong(n.Pos, "judge needs sample: the share of the residual that it sees, such as 0.10, or all; there is no default")
		return
	}
	if word, ok := sample.Text(); ok {
		if word != "all" {
			d.wrong(sample.Pos, "sample is a share from 0 to 1, or all")
		}
		j.Sample = 1
		return
	}
	j.Sample = d.number(sample, "sample", 0, 1)
}

// question checks what the judge is asked.
func (d *decoder) question(n *newel.Node, key func(string) *newel.Node) {
	forms := 0
	for _, name := range []string{"criterion", "prompt", "pair"} {
		if key(name) != nil {
			forms++
		}
	}
	if key("criterion") == nil && key("prompt") == nil && key("replies") == nil && key("pair") == nil {
		d.wrong(n.Pos, "judge needs a criterion or a prompt")
	}
	if key("criterion") != nil && key("prompt") != nil {
		d.wrong(n.Pos, "judge has both criterion and prompt: keep one")
	}
	if p := key("prompt"); p != nil {
		d.builtin(p)
	}
	if p := key("pair"); p != nil && len(d.texts(p, "pair")) != 2 {
		d.wrong(p.Pos, "pair is two names of outputs, such as [new, old]")
	}
}

var builtins = []string{"criterion", "correctness", "groundedness", "faithfulness", "completeness", "relevance", "refusal", "toxicity", "injection", "pairwise"}

func (d *decoder) builtin(n *newel.Node) {
	text := d.text(n, "prompt")
	name, ok := strings.CutPrefix(text, "builtin:")
	if !ok {
		return
	}
	name, version, versioned := strings.Cut(name, "@")
	if !contains(builtins, name) {
		d.wrong(n.Pos, "there is no builtin prompt %q%s", name, newel.DidYouMean(name, builtins))
	}
	if !versioned || version != "1" {
		d.wrong(n.Pos, "a builtin prompt is written with its version, such as builtin:%s@1", name)
	}
}

func (d *decoder) reply(n *newel.Node, key func(string) *newel.Node) {
	kind := "verdict"
	if r := key("reply"); r != nil {
		kind = d.text(r, "reply")
		if !contains([]string{"verdict", "score", "choice"}, kind) {
			d.wrong(r.Pos, "reply is verdict, score or choice%s", newel.DidYouMean(kind, []string{"verdict", "score", "choice"}))
		}
	}
	if sc := key("score"); sc != nil && d.object(sc, "score", "min", "max", "pass") {
		for _, name := range []string{"min", "max", "pass"} {
			if v := sc.Field(name); v != nil {
				d.number(v, "score: "+name, -1e9, 1e9)
			} else {
				d.wrong(sc.Pos, "score needs %s", name)
			}
		}
	}
	if kind == "score" && key("score") == nil {
		d.wrong(n.Pos, "reply: score needs score: {min, max, pass}")
	}
	if kind == "choice" && key("choices") == nil && key("pair") == nil {
		d.wrong(n.Pos, "reply: choice needs choices")
	}
	if c := key("choices"); c != nil && key("pass") == nil {
		d.wrong(c.Pos, "choices needs pass: the choices that pass")
	}
}

func (d *decoder) gateway(g *newel.Node) {
	if g.Field("recorded") == nil && g.Field("url") == nil {
		d.wrong(g.Pos, "gateway needs a url, or recorded: FILE")
	}
	if url, ok := text(g.Field("url")); ok && strings.Contains(url, "@") && strings.Contains(url, "://") {
		d.wrong(g.Field("url").Pos, "gateway: a url carries no password: put the key into a variable and name it in key_env")
	}
}

func text(n *newel.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	return n.Text()
}

// paidJudge asks for what a judge that costs money needs.
func (d *decoder) paidJudge(n *newel.Node, key func(string) *newel.Node, j *Judge) {
	if key("gateway") == nil {
		d.wrong(n.Pos, "judge needs a gateway, here or in the suite's judge")
	}
	if m := key("model"); m != nil {
		j.Model = d.text(m, "model")
	} else if key("models") == nil {
		d.wrong(n.Pos, "judge needs a model; there is no default: it is your money")
	}
}

var classifierKinds = []string{"linear", "profanity", "http", "command", "recorded"}

// classifiers reads a rubric's second layer.
func (d *decoder) classifiers(n *newel.Node) []string {
	if n == nil {
		return nil
	}
	var kinds []string
	for _, e := range d.items(n, "classifier") {
		kind, ok := e.Text()
		if !ok && e.IsMap() && len(e.Fields) == 1 {
			kind, ok = e.Fields[0].Name, true
		}
		if !ok || !contains(classifierKinds, kind) {
			d.wrong(e.Pos, "a classifier is one of %s%s", strings.Join(classifierKinds, ", "), newel.DidYouMean(kind, classifierKinds))
			continue
		}
		kinds = append(kinds, kind)
	}
	return kinds
}
