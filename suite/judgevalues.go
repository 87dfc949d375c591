package suite

import (
	"strings"

	"newel"
)

var judgeKeys = []string{"criterion", "prompt", "sample", "audit", "reply", "score", "choices", "pass", "pass_on", "model", "models",
	"votes", "media", "params", "timeout", "retries", "replies", "gateway", "pair", "both_orders", "in_flight", "rate", "at", "name", "logprobs"}

// judgeValues reads what stands in one judge, a rubric's or the suite's, each
// key by itself. It returns false for what is no map.
func (d *decoder) judgeValues(n *newel.Node) (Judge, bool) {
	out := Judge{Node: n}
	if !d.object(n, "judge", judgeKeys...) {
		return out, false
	}
	for _, f := range n.Fields {
		if !d.judgeValue(f.Name, f.Node, &out) {
			d.judgeOther(f.Name, f.Node)
		}
	}
	return out, true
}

// judgeValue reads the keys that are kept.
func (d *decoder) judgeValue(key string, n *newel.Node, out *Judge) bool {
	switch key {
	case "sample":
		out.Sample = d.sample(n)
	case "audit":
		out.Audit, _ = d.number(n, "audit", 0, 1)
		out.Audited = true
	case "model":
		out.Model = d.textOrFrom(n, "model")
	case "timeout":
		out.Timeout = d.duration(n, "timeout")
	default:
		return false
	}
	return true
}

// judgeOther looks at the keys that the judge itself will read.
func (d *decoder) judgeOther(key string, n *newel.Node) {
	switch key {
	case "criterion", "models":
		d.textsOrFrom(n, key)
	case "prompt":
		d.prompt(n)
	case "pair":
		if len(d.texts(n, "pair")) != 2 {
			d.wrong(n.Pos, "pair is two names of outputs, such as [new, old]")
		}
	case "reply":
		d.word(n, "reply", "verdict", "score", "choice")
	case "score":
		d.scale(n)
	case "gateway":
		d.gateway(n)
	case "rate":
		d.rate(n)
	case "votes":
		d.whole(n, key, 1, 99)
	case "retries":
		d.whole(n, key, 0, 20)
	case "in_flight":
		d.whole(n, key, 1, 100_000)
	case "media", "both_orders", "logprobs":
		d.flag(n, key)
	case "pass_on", "name":
		d.textOrFrom(n, key)
	case "at":
		d.path(n)
	case "params":
		if !n.IsMap() {
			d.wrong(n.Pos, "params is a map, such as {temperature: 0}; this is %s", n.Kind())
		}
	}
}

func (d *decoder) sample(n *newel.Node) float64 {
	word, isText := n.Text()
	share, isNumber := newel.Float(n.Value)
	switch {
	case isText && word == "all":
		return 1
	case !isText && isNumber && n.IsScalar() && share >= 0 && share <= 1:
		return share
	}
	hint := ""
	if isNumber && share > 1 && share <= 100 {
		hint = " (" + plain(share) + " % is " + plain(share/100) + ")"
	}
	d.wrong(n.Pos, "sample is a share from 0 to 1, or all; this is %s%s", shown(n), hint)
	return 0
}

// scale reads score: {min, max, pass}.
func (d *decoder) scale(n *newel.Node) {
	keys := []string{"min", "max", "pass"}
	if !d.object(n, "score", keys...) {
		return
	}
	var values []float64
	for _, key := range keys {
		v := n.Field(key)
		if v == nil {
			d.wrong(n.Pos, "score needs %s", key)
			continue
		}
		if f, ok := d.number(v, "score: "+key, -1e9, 1e9); ok {
			values = append(values, f)
		}
	}
	if len(values) == 3 && (values[0] >= values[1] || values[2] < values[0] || values[2] > values[1]) {
		d.wrong(n.Pos, "score: min is below max, and pass between them; here are min %s, max %s, pass %s", plain(values[0]), plain(values[1]), plain(values[2]))
	}
}

func (d *decoder) rate(n *newel.Node) {
	if !d.object(n, "rate", "rpm", "tpm") {
		return
	}
	for _, f := range n.Fields {
		if f.Name == "rpm" || f.Name == "tpm" {
			d.whole(f.Node, "rate: "+f.Name, 1, 1_000_000_000)
		}
	}
}

var builtins = []string{"criterion", "correctness", "groundedness", "faithfulness", "completeness", "relevance", "refusal", "toxicity", "injection", "pairwise"}

// prompt reads builtin:NAME@N, file:PATH or the prompt itself.
func (d *decoder) prompt(n *newel.Node) {
	text := d.textOrFrom(n, "prompt")
	if file, ok := strings.CutPrefix(text, "file:"); ok {
		if _, err := d.files.Read(file); err != nil {
			d.wrong(n.Pos, "prompt: %v", err)
		}
		return
	}
	name, ok := strings.CutPrefix(text, "builtin:")
	if !ok {
		return
	}
	name, version, versioned := strings.Cut(name, "@")
	switch {
	case !contains(builtins, name):
		d.wrong(n.Pos, "there is no builtin prompt %q%s; there are %s", name, newel.DidYouMean(name, builtins), strings.Join(builtins, ", "))
	case !versioned:
		d.wrong(n.Pos, "a builtin prompt is written with its version, so that it never changes unseen: builtin:%s@1", name)
	case version != "1":
		d.wrong(n.Pos, "builtin prompt %q has version 1 only: builtin:%s@1", name, name)
	}
}

func (d *decoder) gateway(n *newel.Node) {
	if !d.object(n, "gateway", "name", "url", "dialect", "key_env", "headers", "recorded") {
		return
	}
	if n.Field("recorded") == nil && n.Field("url") == nil {
		d.wrong(n.Pos, "gateway needs a url, or recorded: FILE")
	}
	for _, key := range []string{"name", "dialect", "key_env", "recorded"} {
		d.text(n.Field(key), "gateway: "+key)
	}
	url := n.Field("url")
	if text := d.text(url, "gateway: url"); holdsPassword(text) {
		d.wrong(url.Pos, "gateway: a name and password in a url would be stored with the suite: put the key into an environment variable and name it in key_env")
	}
}

// holdsPassword reports whether the part of a URL that names the host has an @.
func holdsPassword(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return ok && strings.Contains(rest, "@")
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
		pos := e.Pos
		if !ok && e.IsMap() && len(e.Fields) == 1 {
			kind, ok, pos = e.Fields[0].Name, true, e.Fields[0].Pos
		}
		switch {
		case !ok:
			d.wrong(pos, "a classifier is a name or {name: parameters}; this is %s", e.Kind())
		case !contains(classifierKinds, kind):
			d.wrong(pos, "unknown classifier %q%s; there are %s", kind, newel.DidYouMean(kind, classifierKinds), strings.Join(classifierKinds, ", "))
		default:
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
