package target

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"newel"
)

// read takes the answer out of a chat completion: the text of the message, or
// the message itself where it asks for tools. An answer that was cut off for
// its length is an answer; run.finish_reason tells.
func (o *openAI) read(resp *response) (*reply, *fault) {
	v, f := o.web.parse(resp)
	if f != nil {
		return nil, f
	}
	top, _ := v.(map[string]any)
	choices, _ := top["choices"].([]any)
	if len(choices) == 0 {
		return nil, o.noChoice(top, resp)
	}
	choice, _ := choices[0].(map[string]any)
	said, ok := choice["message"].(map[string]any)
	if !ok {
		return nil, &fault{kind: newel.KindProtocol, text: "the response's choice has no message: " + o.web.shown(resp.body)}
	}
	output, err := outputOf(said)
	if err != nil {
		return nil, &fault{kind: newel.KindProtocol, text: err.Error()}
	}
	return &reply{output: output, run: completionRun(top, choice, resp.header)}, nil
}

// noChoice explains a good status without an answer: some services send their
// errors so.
func (o *openAI) noChoice(top map[string]any, resp *response) *fault {
	if told, ok := top["error"]; ok && told != nil {
		code := 0.0
		if m, ok := told.(map[string]any); ok {
			code, _ = newel.Float(m["code"])
		}
		return &fault{kind: newel.KindTarget, text: "HTTP 200 with an error: " + o.web.shown(resp.body), again: passing(int(code))}
	}
	return &fault{kind: newel.KindProtocol, text: "the response is no chat completion: " + o.web.shown(resp.body)}
}

func outputOf(said map[string]any) (newel.Raw, error) {
	if calls, _ := said["tool_calls"].([]any); len(calls) > 0 {
		return newel.CanonicalOf(map[string]any{"role": "assistant", "content": said["content"], "tool_calls": calls})
	}
	text := contentText(said["content"])
	if refusal, _ := said["refusal"].(string); text == "" {
		text = refusal
	}
	return newel.AppendString(nil, text), nil
}

func completionRun(top, choice map[string]any, header http.Header) map[string]any {
	run := map[string]any{}
	usage, _ := top["usage"].(map[string]any)
	if usage != nil {
		run["usage"] = usage
	}
	for name, v := range map[string]any{"model": top["model"], "finish_reason": choice["finish_reason"]} {
		if text, ok := v.(string); ok && text != "" {
			run[name] = text
		}
	}
	if cost, ok := costOf(usage, header); ok {
		run["cost_usd"] = cost
	}
	return run
}

// costHeaders are where gateways tell what a call cost, in dollars.
var costHeaders = []string{"X-Litellm-Response-Cost", "X-Bifrost-Cost-Usd"}

// costOf returns the cost in dollars where the service tells one. Zero counts
// as unknown: it also stands for a model without a price.
func costOf(usage map[string]any, header http.Header) (float64, bool) {
	cost, ok := newel.Float(usage["cost"])
	for _, name := range costHeaders {
		if v, err := strconv.ParseFloat(header.Get(name), 64); err == nil && !ok {
			cost, ok = v, true
		}
	}
	return cost, ok && cost > 0 && !math.IsInf(cost, 0)
}

// number returns a decoded number that is finite and not negative.
func number(name string, v any) (float64, *fault) {
	n, ok := newel.Float(v)
	if !ok || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0, &fault{kind: newel.KindProtocol, text: fmt.Sprintf("%s is not a number of at least 0", name)}
	}
	return n, nil
}
