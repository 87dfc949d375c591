package suite

import (
	"strings"

	"newel"
	"newel/gateway"
	"newel/judge"
)

var judgeKeys = []string{"criterion", "prompt", "sample", "audit", "reply", "score", "choices", "pass", "pass_on", "model", "models",
	"votes", "media", "params", "timeout", "retries", "replies", "gateway", "pair", "both_orders", "in_flight", "rate", "at", "name", "logprobs",
	"structured", "extract"}

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

// judgeValue reads the keys that are kept as they are.
func (d *decoder) judgeValue(key string, n *newel.Node, out *Judge) bool {
	switch key {
	case "sample":
		out.Sample = d.sample(n)
	case "audit":
		out.Audit, _ = d.number(n, "audit", 0, 1)
		out.Audited = true
	case "model":
		out.Model = d.textOrFrom(n, "model")
		d.unseen(n)
	case "timeout":
		out.Timeout = d.duration(n, "timeout")
	case "gateway":
		out.Gateway = d.gateway(n)
	case "in_flight":
		out.InFlight = d.whole(n, key, 1, 100_000)
	case "rate":
		out.Rate = d.rate(n)
	default:
		return false
	}
	return true
}

// judgeOther looks at the keys that define puts together.
func (d *decoder) judgeOther(key string, n *newel.Node) {
	switch key {
	case "criterion":
		d.textsOrFrom(n, key)
		d.unseen(n)
	case "models":
		d.models(n)
	case "prompt":
		d.prompt(n)
	case "pair":
		if len(d.texts(n, "pair")) != 2 {
			d.wrong(n.Pos, "pair is two names of outputs, such as [new, old]")
		}
	case "reply":
		d.word(n, "reply", judge.Kinds()...)
	case "score":
		judge.ReadScale(n, d.m)
	case "choices":
		judge.ReadOptions(n, d.m)
	case "votes":
		d.whole(n, key, 1, 99)
	case "retries":
		d.whole(n, key, 0, 20)
	case "media", "both_orders", "logprobs", "structured":
		d.flag(n, key)
	case "pass":
		d.passValue(n)
	case "pass_on":
		d.textOrFrom(n, key)
		d.unseen(n)
	case "name":
		d.text(n, key)
	case "at":
		d.path(n)
		d.unseenPath(n)
	case "replies":
		if !d.from(n) {
			d.wrong(n.Pos, "replies are read from the case, such as replies: {from: vars.reply}; those of a file are gateway: {recorded: FILE}")
		}
		d.unseen(n)
	case "extract":
		d.extract(n)
	case "params":
		d.params(n)
	}
}

// unseen notes a {from: PATH} to what people said about a case.
func (d *decoder) unseen(n *newel.Node) {
	if from := n.Field("from"); from != nil {
		d.unseenPath(from)
	}
}

func (d *decoder) unseenPath(n *newel.Node) {
	text, _ := n.Text()
	path, err := newel.ParsePath(text)
	if err != nil {
		return // noted already
	}
	if why := judge.Hidden(path); why != "" {
		d.wrong(n.Pos, "%s: %s", text, why)
	}
}

func (d *decoder) models(n *newel.Node) {
	if !n.IsList() {
		d.wrong(n.Pos, "models is a list of names, one vote each; this is %s: for one write model", n.Kind())
		return
	}
	seen := map[string]bool{}
	for _, name := range d.textsOf(n, "models") {
		if seen[name] && name != "" {
			d.wrong(n.Pos, "models has %q twice: votes asks one model several times", name)
		}
		seen[name] = true
	}
}

// textsOf reads a list of texts that must not be empty.
func (d *decoder) textsOf(n *newel.Node, what string) []string {
	if len(n.List) == 0 {
		d.wrong(n.Pos, "%s is an empty list", what)
	}
	return d.texts(n, what)
}

func (d *decoder) passValue(n *newel.Node) {
	switch {
	case n.IsMap() && len(n.Fields) == 1 && n.Fields[0].Name == "expr":
		d.passExpr(n.Fields[0].Node)
	case d.from(n):
		d.unseen(n)
	case n.IsMap():
		d.wrong(n.Pos, "pass is a list of choices, {from: PATH} or {expr: CEL}; this is a map")
	default:
		d.texts(n, "pass")
	}
}

// written lists parameters of a request that newel writes itself.
var written = []string{"messages", "model", "stream", "stream_options", "n", "response_format", "logprobs", "top_logprobs",
	"tools", "tool_choice", "functions", "function_call", "system", "output_config"}

func (d *decoder) params(n *newel.Node) {
	if !n.IsMap() {
		d.wrong(n.Pos, "params is a map, such as {temperature: 0}; this is %s", n.Kind())
		return
	}
	for _, f := range n.Fields {
		switch {
		case contains(written, f.Name):
			d.wrong(f.Pos, "params: %s is not for params, newel writes it itself", f.Name)
		case f.Name == "max_tokens" || f.Name == "max_completion_tokens":
			d.whole(f.Node, "params: "+f.Name, 1, 1_000_000)
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

func (d *decoder) rate(n *newel.Node) Rate {
	out := Rate{}
	if !d.object(n, "rate", "rpm", "tpm") {
		return out
	}
	for _, f := range n.Fields {
		switch f.Name {
		case "rpm":
			out.Requests = d.whole(f.Node, "rate: rpm", 1, 1_000_000_000)
		case "tpm":
			out.Tokens = d.whole(f.Node, "rate: tpm", 1, 1_000_000_000)
		}
	}
	return out
}

func (d *decoder) gateway(n *newel.Node) *Gateway {
	if !d.object(n, "gateway", "name", "url", "dialect", "key_env", "headers", "config", "prices", "recorded") {
		return nil
	}
	if n.Field("recorded") == nil && n.Field("url") == nil {
		d.wrong(n.Pos, "gateway needs a url, or recorded: FILE")
	}
	out := &Gateway{
		Name: d.text(n.Field("name"), "gateway: name"), Dialect: d.text(n.Field("dialect"), "gateway: dialect"),
		KeyEnv: d.text(n.Field("key_env"), "gateway: key_env"), Recorded: d.text(n.Field("recorded"), "gateway: recorded"),
		URL: d.text(n.Field("url"), "gateway: url"), Config: d.text(n.Field("config"), "gateway: config"), Headers: map[string]string{}, Pos: n.Pos,
	}
	out.Prices = d.prices(n.Field("prices"))
	if known := append([]string{"auto"}, gateway.Dialects()...); out.Dialect != "" && !contains(known, out.Dialect) {
		d.wrong(n.Field("dialect").Pos, "there is no dialect %q%s; there are %s", out.Dialect, newel.DidYouMean(out.Dialect, known), strings.Join(known, ", "))
	}
	d.headers(n.Field("headers"), out)
	d.noSecrets(n, out)
	return out
}

// headers reads what is sent with each call.
func (d *decoder) headers(n *newel.Node, out *Gateway) {
	switch {
	case n == nil:
	case !n.IsMap():
		d.wrong(n.Pos, "gateway: headers is a map of name to text; this is %s", n.Kind())
	default:
		for _, f := range n.Fields {
			out.Headers[f.Name] = d.text(f.Node, "gateway: headers: "+f.Name)
		}
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
