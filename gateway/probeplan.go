package gateway

import (
	"fmt"
	"strings"

	"newel"
)

// Calls of a self-test.
const (
	probePlain    = "plain"
	probeLong     = "long prompt"
	probeAgain    = "same again"
	probeError    = "unknown model"
	probeSchema   = "JSON schema"
	probeLogprobs = "logprobs"
)

// trial is a call to make.
type trial struct {
	name string
	body Body
}

// unknownModel is a name that no gateway has a model under.
const unknownModel = "newel-self-test-no-such-model"

// plan writes the calls and adds up what they may cost at worst. The wrong one
// counts like others: a gateway may have a model for every name.
func (p *probe) plan() error {
	ask := func(name, text string, change func(*Request)) error {
		r := Request{Model: p.o.Model, MaxTokens: p.o.MaxTokens, Messages: []Message{{Role: "user", Parts: []Part{{Text: text}}}}}
		if change != nil {
			change(&r)
		}
		body, err := p.client.Body(r)
		p.trials = append(p.trials, trial{name, body})
		return err
	}
	plain := "This is a self-test" + strings.TrimRight(" "+p.o.Nonce, " ") + ". Answer with the one word pass."
	long := longPrompt(plain)
	verdict := strings.Replace(plain, "the one word pass", `the JSON object {"verdict": "pass"}`, 1)
	for _, t := range []struct {
		name, text string
		change     func(*Request)
	}{
		{probePlain, plain, nil},
		{probeLong, long, nil},
		{probeAgain, long, nil},
		{probeError, plain, func(r *Request) { r.Model = unknownModel }},
		{probeSchema, verdict, func(r *Request) { r.Schema = newel.Raw(probeForm) }},
		{probeLogprobs, plain, func(r *Request) { r.Logprobs = 20 }},
	} {
		if t.name == probeLogprobs && p.client.messages {
			p.Left = append(p.Left, Unasked{t.name, "the Messages wire has none"})
			continue
		}
		if err := ask(t.name, t.text, t.change); err != nil {
			return err
		}
	}
	return p.price()
}

// probeForm is the schema that is asked for.
const probeForm = `{"type":"object","properties":{"verdict":{"type":"string","enum":["pass","fail"]}},"required":["verdict"],"additionalProperties":false}`

// longPrompt is long enough for providers to cache it: those that do it unasked
// begin at 1024 tokens.
func longPrompt(question string) string {
	var b strings.Builder
	b.WriteString(question + "\nThe rules below only make the prompt longer.\n")
	for i := 1; i <= 90; i++ {
		fmt.Fprintf(&b, "Rule %d: what stands on page %d is read with page %d.\n", i, i, i+1)
	}
	return b.String() + question
}

// price adds up the worst of all calls; without a price in the table there is
// none.
func (p *probe) price() error {
	var sum newel.Money
	for _, t := range p.trials {
		t.body.Model = p.o.Model
		m, ok := p.client.Worst(t.body)
		if !ok {
			return nil
		}
		var err error
		if sum, err = sum.Add(m); err != nil {
			return err
		}
	}
	p.Worst = &sum
	return nil
}
