package suite

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"newel"
	"newel/expr"
	"newel/judge"
)

// form works out what the answer of a judge looks like, and which answers pass.
func (d *decoder) form(j judgeNodes, def *judge.Definition) {
	f := &def.Form
	f.Kind = d.kind(j, def)
	if n := j.key("score"); n != nil {
		if scale := judge.ReadScale(n, d.m); scale != nil {
			f.Scale = *scale
		}
	} else if def.Prompt != nil && def.Prompt.Scale != nil {
		f.Scale = *def.Prompt.Scale
	} else if f.Kind == judge.Score {
		d.wrong(d.replyPos(j), "reply: score needs score: {min, max, pass}")
	}
	if f.Kind == judge.Choice {
		d.choices(j, def)
		d.pass(j, def)
	}
	if on := j.key("pass_on"); on != nil {
		d.passOn(j, on, def)
	}
	if def.Logprobs && (f.Kind != judge.Score || !f.Scale.Digits()) {
		def.Logprobs = false // the suite's, for rubrics with a score
		d.ownWrong(j, "logprobs", "logprobs weighs a score by the likelihood of its alternatives: it needs reply: score, on a scale of whole numbers within 0 to 9")
	}
}

// ownWrong notes a mistake in a key that stands in the rubric itself. A default of
// the suite that does not fit one of its rubrics is none.
func (d *decoder) ownWrong(j judgeNodes, key, format string, args ...any) {
	if n := j.own.Field(key); n != nil {
		d.wrong(n.Pos, format, args...)
	}
}

// kind is what is answered: as the rubric says, else as the prompt does, else as
// the other keys suggest.
func (d *decoder) kind(j judgeNodes, def *judge.Definition) judge.Kind {
	p, pair := def.Prompt, def.Pair[0] != ""
	kind := judge.Verdict
	switch r := j.key("reply"); {
	case r != nil && j.own.Field("reply") == nil && p != nil && p.HasKind:
		kind = p.Kind // the suite's default gives way to the rubric's prompt
	case r != nil:
		word, _ := r.Text()
		var ok bool
		if kind, ok = judge.ParseKind(word); !ok {
			return kind
		}
		if j.key("pass_on") != nil && kind == judge.Verdict {
			return judge.Choice // of yes and no
		}
		if p != nil && p.HasKind && p.Kind != kind {
			d.wrong(r.Pos, "%s is answered with a %s, not with a %s", p.Name, p.Kind, kind)
		}
		if pair && kind != judge.Choice {
			d.wrong(r.Pos, "a pair is answered with a choice, not with a %s", kind)
		}
		if pair {
			kind = judge.Choice
		}
	case p != nil && p.HasKind:
		kind = p.Kind
	case pair || j.key("choices") != nil:
		kind = judge.Choice
	case j.key("score") != nil:
		kind = judge.Score
	}
	return kind
}

// replyPos is where to say that something is missing for the reply.
func (d *decoder) replyPos(j judgeNodes) newel.Pos {
	if r := j.key("reply"); r != nil {
		return r.Pos
	}
	return j.own.Pos
}

// choices reads the options. Those of a pair go by the place in which an output
// is shown, since the judge must not know which is which.
func (d *decoder) choices(j judgeNodes, def *judge.Definition) {
	n := j.key("choices")
	var options []judge.Option
	if n != nil {
		options = judge.ReadOptions(n, d.m)
	}
	if def.Pair[0] != "" {
		def.Form.Options = d.places(j.only(questions...).key("pair").Pos, n, options, def)
		return
	}
	known := []judge.Option(nil)
	if def.Prompt != nil {
		known = def.Prompt.Options
	}
	switch {
	case n == nil && known == nil:
		d.wrong(d.replyPos(j), "reply: choice needs choices, such as choices: [compliance, refusal]")
	case n == nil:
		options = known
	case known != nil:
		d.among(n, options, known, def.Prompt.Name)
	}
	def.Form.Options = options
}

// among checks that a rubric's choices are those that its prompt speaks of.
func (d *decoder) among(n *newel.Node, options, known []judge.Option, prompt string) {
	for _, o := range options {
		if !slices.ContainsFunc(known, func(k judge.Option) bool { return k.Name == o.Name }) {
			d.wrong(n.Pos, "%s has the choices %s; %q is none of them", prompt, strings.Join(names(known), ", "), o.Name)
		}
	}
}

func names(options []judge.Option) []string {
	out := make([]string, len(options))
	for i, o := range options {
		out[i] = o.Name
	}
	return out
}

// places turns the choices of a pair into first, second and tie.
func (d *decoder) places(pos newel.Pos, n *newel.Node, written []judge.Option, def *judge.Definition) []judge.Option {
	out := []judge.Option{{Name: "first"}, {Name: "second"}, {Name: judge.Tie}}
	if def.Pair[0] == judge.Tie || def.Pair[1] == judge.Tie || def.Pair[0] == def.Pair[1] {
		d.wrong(pos, "pair is two different outputs, and none is called tie")
	}
	if n == nil {
		return out
	}
	tie := false
	for _, o := range written {
		switch o.Name {
		case def.Pair[0]:
			out[0].Words = o.Words
		case def.Pair[1]:
			out[1].Words = o.Words
		case judge.Tie:
			out[2].Words, tie = o.Words, true
		default:
			d.wrong(n.Pos, "choices of a pair are its two names and tie; %q is none of them", o.Name)
		}
	}
	if !tie {
		out = out[:2]
	}
	if twice := judge.Twice(out); twice != "" {
		d.wrong(n.Pos, "choices: %q means two of them", twice)
	}
	return out
}

// pass reads which choices pass: a list, {from: PATH} or {expr: CEL}.
func (d *decoder) pass(j judgeNodes, def *judge.Definition) {
	n := j.key("pass")
	switch {
	case n != nil:
		d.passing(n, def)
	case def.Pair[0] != "", j.key("pass_on") != nil, def.Prompt != nil && def.Prompt.Pass != nil:
	case j.key("choices") != nil:
		d.wrong(j.key("choices").Pos, "choices needs pass: the list of those that pass")
	case def.Prompt != nil && def.Form.Options != nil:
		d.wrong(j.own.Pos, "%s is answered with %s: say which pass, such as pass: [%s]", def.Prompt.Name,
			strings.Join(names(def.Form.Options), ", "), def.Form.Options[0].Name)
	}
}

func (d *decoder) passing(n *newel.Node, def *judge.Definition) {
	if e := n.Field("expr"); e != nil && len(n.Fields) == 1 {
		def.Pass.Expr = d.passExpr(e)
		return
	}
	def.Pass.Texts = textsFrom(n)
	known := def.Names()
	for _, name := range def.Pass.Const {
		if !contains(known, name) && !(name == judge.Tie && def.Pair[0] != "") && def.Form.Options != nil {
			d.wrong(n.Pos, "pass names %q, which is none of the choices %s", name, strings.Join(known, ", "))
		}
	}
}

// people are the fields of a case that hold what people said about it.
var people = regexp.MustCompile(`\b(labels|raters)\b`)

func (d *decoder) passExpr(n *newel.Node) func(context.Context, *newel.Subject) (any, error) {
	text := d.text(n, "pass: expr")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if people.MatchString(text) {
		d.wrong(n.Pos, "pass: what people said about a case (labels, raters) decides no verdict of a judge")
		return nil
	}
	p, err := expr.Compile(text, expr.CaseScope)
	if err != nil {
		d.wrong(n.Pos, "pass: %v", err)
		return nil
	}
	return p.Eval
}

// passOn reads the good answer to a question.
func (d *decoder) passOn(j judgeNodes, n *newel.Node, def *judge.Definition) {
	def.PassOn = textFrom(n)
	word := strings.ToLower(strings.TrimSpace(def.PassOn.Const))
	switch {
	case def.Criteria.IsZero() && j.own.Field("pass_on") == nil:
		def.PassOn = judge.Text{} // the suite's, for rubrics that ask a question
	case def.Criteria.IsZero():
		d.wrong(n.Pos, "pass_on goes with a criterion that is a question; of choices, pass says which are good")
	case def.PassOn.From.IsZero() && word != "" && word != "yes" && word != "no":
		d.wrong(n.Pos, "pass_on is yes or no: the answer that is good; this is %s", shown(n))
	}
}
