package judge

import (
	"context"
	"errors"

	"newel"
	"newel/gateway"
	"newel/paid"
)

// Planned is a call that a judge would make about a case.
type Planned struct {
	Key   newel.Hash
	Shape paid.Shape // what Key is made of
	Model string
	Body  gateway.Body
	// Messages are the prompt as it is sent: the system text, then the case.
	Messages []gateway.Message
	Repair   bool // asks again after a reply that could not be read
}

// Calls lists what the judge would ask about a case, each with its key, and asks
// nothing. That a reply cannot be read and is asked for once more nobody knows
// beforehand: such calls are not among them. Where Score would answer without
// asking, because of the case or its output, that is the error.
func (j *Judge) Calls(ctx context.Context, s *newel.Subject) ([]Planned, error) {
	if j.def.recorded() {
		return nil, nil
	}
	p, err := j.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	out := make([]Planned, len(p.calls))
	for i, c := range p.calls {
		if out[i], err = j.planned(s, c, j.request(c), 0); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Asked lists the calls about a case as Calls does, and behind each the call that
// asked once more because its reply could not be read. Reply is what the journal
// has for a key, nil where it has nothing.
func (j *Judge) Asked(ctx context.Context, s *newel.Subject, reply func(newel.Hash) []byte) ([]Planned, error) {
	if j.def.recorded() {
		return nil, nil
	}
	p, err := j.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []Planned
	for _, c := range p.calls {
		first := j.request(c)
		one, err := j.planned(s, c, first, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
		again, asked, err := j.askedAgain(c, first, reply(one.Key))
		if err != nil {
			return nil, err
		}
		if !asked {
			continue
		}
		if one, err = j.planned(s, c, again, 1); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// askedAgain is the request that follows a reply that could not be read.
func (j *Judge) askedAgain(c call, first gateway.Request, raw []byte) (gateway.Request, bool, error) {
	if len(raw) == 0 {
		return first, false, nil
	}
	r, err := decodeReply(raw)
	if err != nil {
		return first, false, err
	}
	var end *hopeless
	_, err = j.read(r, c)
	if err == nil || errors.As(err, &end) {
		return first, false, nil
	}
	return j.repair(first, r, err, c), true, nil
}

func (j *Judge) planned(s *newel.Subject, c call, r gateway.Request, repair int) (Planned, error) {
	body, err := j.env.Client.Body(r)
	if err != nil {
		return Planned{}, err
	}
	shape := j.shape(s, c, body, repair)
	key, err := paid.Key(shape)
	return Planned{Key: key, Shape: shape, Model: c.model, Body: body, Messages: r.Messages, Repair: repair > 0}, err
}

// shape is everything that a call's reply hangs on.
func (j *Judge) shape(s *newel.Subject, c call, body gateway.Body, repair int) paid.Shape {
	return paid.Shape{
		Kind: "judge", Body: body.Keyed, Prompt: j.def.Prompt.Hash, Schema: j.form, Canonical: true,
		Gateway: j.def.Gateway, Vote: c.vote, Trial: trial(s), Repair: repair,
	}
}
