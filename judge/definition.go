package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"newel"
	"newel/gateway"
	"newel/paid"
)

// Definition is one rubric's judge, checked when the suite was read. It is the
// same for all runs.
type Definition struct {
	Rubric string // its name, for the tags of a call and recorded replies
	Name   string // of the scorer, in rows; empty: judge
	Prompt *Prompt
	Form   Form
	// Criteria fill the prompt's {{ criterion }}, each by a call of its own; all
	// must hold.
	Criteria Texts
	// PassOn is yes or no where the criteria are questions: the answer that is
	// good.
	PassOn Text
	Pass   Pass      // of a choice
	Pair   [2]string // names of two outputs to be compared; empty: there is one output
	// BothOrders asks twice, the second time with the pair the other way round.
	BothOrders bool
	At         newel.Path // what is judged; zero: the output

	Models  []Text // one vote each, times Votes
	Votes   int    // 0: 1
	Gateway string // its name, part of the call key
	// MaxTokens is the most that an answer may have, reasoning included; 0:
	// DefaultMaxTokens.
	MaxTokens int
	Params    map[string]any // sent as they are; nothing is sent that is not here
	// Free asks for no structured answer: for models and gateways that refuse a
	// schema.
	Free     bool
	Logprobs bool // weighs a score by the likelihood of its alternatives
	Media    bool // sends the case's files along
	Timeout  time.Duration
	Retries  int

	Replies   newel.Path // recorded replies of the case, in place of calls
	Recording *Recording // recorded replies of a file, in place of calls
	// Extract cuts the answer out of a recorded reply; nil: the answer stands last
	// in it.
	Extract func(s *newel.Subject, text string) (string, error)
}

// What holds where a suite says nothing.
const (
	DefaultMaxTokens = 1024
	DefaultTimeout   = time.Minute
	DefaultRetries   = 4
)

// ScorerName is what the judge is called in rows.
func (d *Definition) ScorerName() string {
	if d.Name == "" {
		return "judge"
	}
	return d.Name
}

// maxCalls is how many calls one row may take.
const maxCalls = 1000

// Text is a text that is the same for all cases, or read from each.
type Text struct {
	Const string
	From  newel.Path
}

// IsZero reports whether t was never set.
func (t Text) IsZero() bool { return t.Const == "" && t.From.IsZero() }

// at returns the text for a case.
func (t Text) at(s *newel.Subject) (string, error) {
	if t.From.IsZero() {
		return t.Const, nil
	}
	v, err := s.Lookup(t.From)
	if err != nil {
		return "", err
	}
	text, ok := v.(string)
	if !ok || text == "" {
		return "", fmt.Errorf("%s is no text", t.From)
	}
	return text, nil
}

// Texts are one text or several, the same for all cases or read from each.
type Texts struct {
	Const []string
	From  newel.Path
}

// IsZero reports whether t was never set.
func (t Texts) IsZero() bool { return t.Const == nil && t.From.IsZero() }

func (t Texts) at(s *newel.Subject) ([]string, error) {
	if t.From.IsZero() {
		return t.Const, nil
	}
	v, err := s.Lookup(t.From)
	if err != nil {
		return nil, err
	}
	out, ok := textsOf(v)
	if !ok || len(out) == 0 {
		return nil, fmt.Errorf("%s is neither a text nor a list of texts", t.From)
	}
	return out, nil
}

// textsOf reads a text or a list of texts.
func textsOf(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], ok = e.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

// Pass says which choices pass.
type Pass struct {
	Texts
	// Expr gives a choice or a list of them for a case; it wins where it is set.
	Expr func(ctx context.Context, s *newel.Subject) (any, error)
}

// IsZero reports whether p was never set.
func (p Pass) IsZero() bool { return p.Expr == nil && p.Texts.IsZero() }

func (p Pass) at(ctx context.Context, s *newel.Subject) ([]string, error) {
	if p.Expr == nil {
		return p.Texts.at(s)
	}
	v, err := p.Expr(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("pass: %w", err)
	}
	out, ok := textsOf(v)
	if !ok {
		return nil, errors.New("pass: the expression gives neither a choice nor a list of choices")
	}
	return out, nil
}

// Client writes and sends calls; *gateway.Client is one.
type Client interface {
	Body(r gateway.Request) (gateway.Body, error) // opens no connection
	Send(ctx context.Context, b gateway.Body, t gateway.Tags) gateway.Reply
	// Worst is the most that one attempt can cost; false: no price is known.
	Worst(b gateway.Body) (newel.Money, bool)
}

// Env is what a judge needs of the run that it works for.
type Env struct {
	// Ask pays for a call, or finds its reply. In a replay it never sends.
	Ask    func(ctx context.Context, q paid.Question) (paid.Answer, error)
	Client Client // of the judge's gateway; nil where replies are recorded
	Tags   gateway.Tags
	// Media returns the content of a case's file.
	Media func(sha256 newel.Hash) ([]byte, error)
}

// Calls is how many calls one row takes, 0 where replies are recorded. Criteria
// that a case brings count as one.
func (d *Definition) Calls() int {
	if d.recorded() {
		return 0
	}
	n := d.ballots() * d.orders()
	if d.Criteria.From.IsZero() {
		n *= max(1, len(d.Criteria.Const))
	}
	return n
}

func (d *Definition) recorded() bool { return !d.Replies.IsZero() || d.Recording != nil }

// models are the models asked; with recorded replies there may be none.
func (d *Definition) models() []Text {
	if len(d.Models) == 0 {
		return []Text{{Const: "recorded"}}
	}
	return d.Models
}

// ballots is how many votes a criterion gets.
func (d *Definition) ballots() int { return len(d.models()) * max(1, d.Votes) }

func (d *Definition) orders() int {
	if d.BothOrders {
		return 2
	}
	return 1
}

func (d *Definition) paired() bool { return d.Pair[0] != "" }
