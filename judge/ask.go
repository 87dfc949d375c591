package judge

import (
	"context"
	"errors"
	"fmt"

	"newel"
	"newel/gateway"
	"newel/paid"
)

// outcome is what came of one call: an answer, or an error. Refs has the reply
// and, where it could not be read, the repair's.
type outcome struct {
	answer
	err  *newel.ScoreError
	refs []newel.CallRef
}

func (o *outcome) fail(kind newel.ErrorKind, message string) outcome {
	o.err = &newel.ScoreError{Kind: kind, Message: message}
	return *o
}

// ask asks one call. A reply that cannot be read is quoted back once.
func (j *Judge) ask(ctx context.Context, s *newel.Subject, c call) outcome {
	o := outcome{}
	first := j.request(c)
	r, fault := j.send(ctx, s, c, first, 0, &o)
	if fault != nil {
		o.err = fault
		return o
	}
	a, err := j.read(r, c)
	var end *hopeless
	if err == nil || errors.As(err, &end) {
		return o.done(a, err)
	}
	second := j.repair(first, r, err, c)
	if r, fault = j.send(ctx, s, c, second, 1, &o); fault != nil {
		o.err = fault
		return o
	}
	a, again := j.read(r, c)
	if again != nil {
		again = fmt.Errorf("%w; asked again: %w", err, again)
	}
	return o.done(a, again)
}

func (o *outcome) done(a answer, err error) outcome {
	if err != nil {
		return o.fail(newel.KindUnparsable, err.Error())
	}
	o.answer = a
	return *o
}

// read reads a reply to a call that was asked for the mark.
func (j *Judge) read(r reply, c call) (answer, error) {
	if err := r.standing(j.maxTokens()); err != nil {
		return answer{}, err
	}
	a, err := j.def.Form.readMarked(r.Text, c.asked.mark)
	if err == nil && j.def.Logprobs {
		j.def.Form.weigh(&a, r)
	}
	return a, err
}

func (j *Judge) maxTokens() int {
	if j.def.MaxTokens > 0 {
		return j.def.MaxTokens
	}
	return DefaultMaxTokens
}

// alternatives is how many tokens are asked for in the place of a score: the
// most that providers give.
const alternatives = 20

// request is a call's chat request.
func (j *Judge) request(c call) gateway.Request {
	user := gateway.Message{Role: "user", Parts: append([]gateway.Part{{Text: c.asked.user}}, c.asked.files...)}
	r := gateway.Request{
		Model: c.model, MaxTokens: j.maxTokens(), Schema: j.schema, Params: j.def.Params,
		Messages: []gateway.Message{{Role: "system", Parts: []gateway.Part{{Text: c.asked.system}}}, user},
	}
	if j.def.Logprobs {
		r.Logprobs = alternatives
	}
	return r
}

// maxQuoted is how much of a reply that could not be read is quoted.
const maxQuoted = 8 << 10

// repair is the request that asks again after a reply that could not be read.
func (j *Judge) repair(first gateway.Request, r reply, why error, c call) gateway.Request {
	quoted := clip(r.Text, maxQuoted)
	if errors.Is(why, errEmpty) {
		quoted = "(no text)"
	}
	reason := why.Error()
	var other *misfit
	if errors.As(why, &other) {
		reason = other.what
	}
	messages := append(first.Messages[:len(first.Messages):len(first.Messages)],
		gateway.Message{Role: "assistant", Parts: []gateway.Part{{Text: quoted}}},
		gateway.Message{Role: "user", Parts: []gateway.Part{{Text: again(reason, c.asked.mark)}}})
	first.Messages = messages
	return first
}

// send pays for a request, or finds its reply, and notes where it is kept.
func (j *Judge) send(ctx context.Context, s *newel.Subject, c call, r gateway.Request, repair int, o *outcome) (reply, *newel.ScoreError) {
	body, key, err := j.key(s, c, r, repair)
	if err != nil {
		return reply{}, &newel.ScoreError{Kind: newel.KindDefinition, Message: err.Error()}
	}
	answer, err := j.env.Ask(ctx, j.toPay(s, c, body, key))
	if err != nil {
		return reply{}, withheld(err)
	}
	if answer.Fault != nil {
		if !answer.Ref.Key.IsZero() {
			o.refs = append(o.refs, answer.Ref)
		}
		return reply{}, answer.Fault
	}
	if answer.Ref.Reply.IsZero() {
		answer.Ref.Reply = newel.HashOf(answer.Reply)
	}
	o.refs = append(o.refs, answer.Ref)
	out, err := decodeReply(answer.Reply)
	if err != nil {
		return out, &newel.ScoreError{Kind: newel.KindInternal, Message: err.Error()}
	}
	return out, nil
}

// key writes a request as its gateway takes it and hashes what shapes its reply.
func (j *Judge) key(s *newel.Subject, c call, r gateway.Request, repair int) (gateway.Body, newel.Hash, error) {
	body, err := j.env.Client.Body(r)
	if err != nil {
		return body, newel.Hash{}, err
	}
	key, err := paid.Key(j.shape(s, c, body, repair))
	return body, key, err
}

func trial(s *newel.Subject) int {
	if s.Item == nil {
		return 1
	}
	return s.Item.Trial
}

// toPay is a call as paid takes it.
func (j *Judge) toPay(s *newel.Subject, c call, body gateway.Body, key newel.Hash) paid.Question {
	tags := j.env.Tags
	tags.Rubric, tags.Case, tags.Key = j.def.Rubric, s.Case.ID, key
	q := paid.Question{
		Key: key, Kind: "judge", Lane: j.def.Gateway + "/" + c.model,
		Tokens:  body.Tokens() + int64(body.Max),
		Retries: j.def.Retries, Timeout: j.def.Timeout,
		Send: func(ctx context.Context) paid.Attempt { return attempt(j.env.Client.Send(ctx, body, tags)) },
		Reads: func(raw []byte) bool {
			r, err := decodeReply(raw)
			if err != nil {
				return false
			}
			_, err = j.read(r, c)
			return err == nil
		},
	}
	q.Worst, _ = j.env.Client.Worst(body)
	if q.Timeout == 0 {
		q.Timeout = DefaultTimeout
	}
	return q
}

// attempt is what came of sending, as paid takes it.
func attempt(r gateway.Reply) paid.Attempt {
	a := paid.Attempt{Call: r.Call}
	if f := r.Fault; f != nil {
		a.Fault = &paid.Fault{Kind: f.Kind, Message: f.Message, Again: f.Again, Throttled: f.Throttled, After: f.After, MayCost: f.MayCost, Never: f.Never}
		return a
	}
	raw, err := EncodeReply(r)
	if err != nil {
		a.Fault = &paid.Fault{Kind: newel.KindGateway, Message: "the reply cannot be kept: " + err.Error(), MayCost: true}
		return a
	}
	a.Reply = raw
	return a
}

// withheld says why a call was not made.
func withheld(err error) *newel.ScoreError {
	kind := newel.KindWithheld // also where the journal failed: that is no row's fault
	if errors.Is(err, newel.ErrSpent) {
		kind = newel.KindSpent
	}
	return &newel.ScoreError{Kind: kind, Message: err.Error()}
}
