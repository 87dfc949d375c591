package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"newel"
	"newel/gateway"
)

// Judge is a newel.Scorer. What it says hangs on replies from outside; with the
// same replies it says the same.
type Judge struct {
	def   Definition
	env   Env
	head  string // the system text of a prompt without a criterion
	tail  string // what stands in it behind the prompt's own text
	words map[string]string
	form  newel.Raw // the schema of an answer, in canonical form
	// schema is what the answer must look like; nil where it is free text.
	schema newel.Raw
}

// New returns the judge of a definition, for one run.
func New(def Definition, env Env) (*Judge, error) {
	switch {
	case def.Prompt == nil && !def.recorded():
		return nil, errors.New("judge: there is no prompt")
	case !def.recorded() && (env.Client == nil || env.Ask == nil || len(def.Models) == 0):
		return nil, errors.New("judge: nobody to ask")
	case def.Prompt == nil:
		def.Prompt = &Prompt{Name: "recorded"}
	}
	j := &Judge{def: def, env: env, words: def.Form.index(), form: def.Form.schema()}
	j.tail = def.tail()
	j.head = def.head() + j.tail
	if !def.Free {
		j.schema = j.form
	}
	return j, nil
}

// intro begins the system text of a prompt that has no part of its own for it.
const intro = "You judge outputs of language models for an evaluation. The next message holds a case and says what to judge about it."

func (d *Definition) head() string {
	var b strings.Builder
	for _, s := range d.Prompt.head {
		b.WriteString(s.literal)
	}
	if b.Len() == 0 {
		return intro
	}
	return b.String()
}

func (d *Definition) tail() string {
	var b strings.Builder
	if d.Prompt.examples != "" {
		b.WriteString("\n\nExamples\n" + strings.TrimRight(d.Prompt.examples, "\n"))
	}
	b.WriteString("\n\n" + material + "\n" + d.Form.answerText())
	return b.String()
}

// Name returns the scorer's name.
func (j *Judge) Name() string { return j.def.ScorerName() }

// Score asks about a case and reads the answers. An output that cannot be read
// as the prompt asks fails without a call.
func (j *Judge) Score(ctx context.Context, s *newel.Subject) newel.Score {
	out := j.score(ctx, s)
	out.Scorer, out.Layer = j.Name(), newel.Judge
	return out
}

func (j *Judge) score(ctx context.Context, s *newel.Subject) newel.Score {
	p, err := j.plan(ctx, s)
	if err != nil {
		return broken(err)
	}
	outcomes := make([]outcome, len(p.calls))
	if j.def.recorded() {
		err = j.replayAll(s, p, outcomes)
	} else {
		err = j.askAll(ctx, s, p, outcomes)
	}
	if err != nil {
		return broken(err)
	}
	out := j.tally(p, outcomes)
	for _, o := range outcomes {
		out.Calls = append(out.Calls, o.refs...)
	}
	return out
}

// broken turns what stands in the way of asking into a score.
func broken(err error) newel.Score {
	var missing *newel.MissingError
	var output *newel.OutputError
	var wrong *wrongCase
	switch {
	case errors.As(err, &output):
		return newel.Missed(output.Error())
	case errors.As(err, &missing):
		return newel.Broken(newel.KindCase, missing.Error())
	case errors.As(err, &wrong):
		return newel.Broken(wrong.kind, wrong.text)
	}
	return newel.Broken(newel.KindDefinition, err.Error())
}

// plan is what one row asks.
type plan struct {
	criteria []string // one empty text where the prompt asks by itself
	models   []string
	pass     []string // of a choice
	calls    []call   // by criterion, then model, then vote, then order
}

// call is one question to one model.
type call struct {
	criterion int
	model     string
	vote      int
	swapped   bool
	asked     *question
}

func (j *Judge) plan(ctx context.Context, s *newel.Subject) (*plan, error) {
	p := &plan{criteria: []string{""}}
	var err error
	if !j.def.Criteria.IsZero() {
		if p.criteria, err = j.def.Criteria.at(s); err != nil {
			return nil, err
		}
	}
	for _, m := range j.def.models() {
		name, err := m.at(s)
		if err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
		p.models = append(p.models, name)
	}
	if p.pass, err = j.passes(ctx, s); err != nil {
		return nil, err
	}
	if n := len(p.criteria) * j.def.ballots() * j.def.orders(); n > maxCalls {
		return nil, &wrongCase{newel.KindLimit, fmt.Sprintf("the row would take %d calls; %d are the most", n, maxCalls)}
	}
	return p, j.list(s, p)
}

// list fills in the plan's calls.
func (j *Judge) list(s *newel.Subject, p *plan) error {
	var files []gateway.Part
	fill := !j.def.recorded() || j.def.Recording.keyed() && j.env.Client != nil
	if fill && j.def.Media {
		var err error
		if files, err = j.files(s); err != nil {
			return err
		}
	}
	for c, criterion := range p.criteria {
		var asked [2]*question
		for order := range asked[:j.def.orders()] {
			if !fill {
				break
			}
			var err error
			if asked[order], err = j.render(s, ask{criterion, order == 1}, files); err != nil {
				return err
			}
		}
		for _, model := range p.models {
			for vote := range max(1, j.def.Votes) {
				for order := range j.def.orders() {
					p.calls = append(p.calls, call{c, model, vote, order == 1, asked[order]})
				}
			}
		}
	}
	return nil
}

// passes returns the choices that pass for a case. Of a pair without pass they
// are its first name and a tie.
func (j *Judge) passes(ctx context.Context, s *newel.Subject) ([]string, error) {
	switch {
	case !j.def.PassOn.IsZero():
		word, err := j.def.PassOn.at(s)
		if err != nil {
			return nil, err
		}
		if word = fold(word); word != "yes" && word != "no" {
			return nil, fmt.Errorf("pass_on is yes or no, not %q", clip(word, 60))
		}
		return []string{word}, nil
	case j.def.Form.Kind != Choice:
		return nil, nil
	case j.def.Pass.IsZero() && j.def.paired():
		return []string{j.def.Pair[0], Tie}, nil
	case j.def.Pass.IsZero():
		return j.def.Prompt.Pass, nil
	}
	list, err := j.def.Pass.at(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		if !j.def.knows(name) {
			return nil, fmt.Errorf("pass names %q, which is none of the choices", clip(name, 60))
		}
	}
	return list, nil
}

// Names lists the choices as a row shows them.
func (d *Definition) Names() []string {
	if !d.paired() {
		return d.Form.words()
	}
	names := []string{d.Pair[0], d.Pair[1]}
	return append(names, d.Form.words()[2:]...)
}

// knows reports whether a choice may stand in a row. A tie always may: between
// two orders it arises by itself.
func (d *Definition) knows(name string) bool {
	if d.paired() && name == Tie {
		return true
	}
	for _, n := range d.Names() {
		if n == name {
			return true
		}
	}
	return false
}

// most is how many calls of one row are under way at a time.
const most = 32

// askAll asks every call of the plan.
func (j *Judge) askAll(ctx context.Context, s *newel.Subject, p *plan, outcomes []outcome) error {
	if len(p.calls) == 1 {
		outcomes[0] = j.ask(ctx, s, p.calls[0])
		return nil
	}
	var wait sync.WaitGroup
	free := make(chan struct{}, most)
	for i := range p.calls {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			outcomes[i] = j.ask(ctx, s, p.calls[i])
		})
	}
	wait.Wait()
	return nil
}
