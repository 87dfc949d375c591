package main

import (
	"context"
	"fmt"
	"strings"

	"newel"
	"newel/paid"
)

// ask is the account's Ask. Under a budget a model that only the case names must
// have a price, as those of the suite must: else nobody could say what its call
// costs at most, and it is not sent.
func (j *judging) ask(ctx context.Context, q paid.Question) (paid.Answer, error) {
	if name, model := j.unpriced(q.Lane); name != "" {
		q.Send = func(context.Context) paid.Attempt {
			return paid.Attempt{
				Call: newel.Call{Gateway: name, ModelAsked: model, Outcome: "client_error"},
				Fault: &paid.Fault{Kind: newel.KindDefinition,
					Message: fmt.Sprintf("there is no price for model %q, so no budget can hold it: it was not asked", model)},
			}
		}
	}
	return j.account.Ask(ctx, j.masked(q))
}

// unpriced returns the gateway and model of a lane that has no price under a
// budget; empty: it has, or there is no budget.
func (j *judging) unpriced(lane string) (name, model string) {
	if j.suite.Budget == 0 {
		return "", ""
	}
	for called, client := range j.clients {
		if model, ok := strings.CutPrefix(lane, called+"/"); ok && !client.Priced(model) {
			return called, model
		}
	}
	return "", ""
}
