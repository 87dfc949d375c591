package judge

import (
	"context"

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
		body, err := j.env.Client.Body(j.request(c))
		if err != nil {
			return nil, err
		}
		shape := j.shape(s, c, body, 0)
		key, err := paid.Key(shape)
		if err != nil {
			return nil, err
		}
		out[i] = Planned{Key: key, Shape: shape, Model: c.model, Body: body}
	}
	return out, nil
}

// shape is everything that a call's reply hangs on.
func (j *Judge) shape(s *newel.Subject, c call, body gateway.Body, repair int) paid.Shape {
	return paid.Shape{
		Kind: "judge", Body: body.Keyed, Prompt: j.def.Prompt.Hash, Schema: j.form, Canonical: true,
		Gateway: j.def.Gateway, Vote: c.vote, Trial: trial(s), Repair: repair,
	}
}
