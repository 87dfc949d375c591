package upstream_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel/bench/upstream"
)

func TestStreamsAddUpToTheAnswer(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{Act: upstream.Says("größer"), Usage: &upstream.Usage{In: 10, Cached: 4, Out: 3}})
	for route, want := range map[string]struct{ text, end string }{
		chat:     {"größer", "[DONE]"},
		messages: {"größer", `{"type":"message_stop"}`},
	} {
		a := ask(t, s.URL+route, body("x", `,"stream":true,"stream_options":{"include_usage":true}`))
		var text strings.Builder
		var last string
		used := false
		for line := range strings.SplitSeq(a.body, "\n") {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				continue
			}
			last = data
			var e struct {
				Choices []struct{ Delta struct{ Content string } }
				Delta   struct{ Text string }
				Usage   map[string]any
			}
			if data != "[DONE]" {
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					t.Fatalf("%s: %v in %s", route, err, data)
				}
			}
			for _, c := range e.Choices {
				text.WriteString(c.Delta.Content)
			}
			text.WriteString(e.Delta.Text)
			used = used || e.Usage != nil
		}
		if text.String() != want.text || last != want.end || !used {
			t.Errorf("%s: got %q, last %q, usage %v\n%s", route, text.String(), last, used, a.body)
		}
	}
}

func TestLogprobsAreToldToWhoAsks(t *testing.T) {
	t.Parallel()
	yes, no := upstream.Token{Text: "yes", Logprob: -0.2}, upstream.Token{Text: "no", Logprob: -1.75}
	s := upstream.Start(t, upstream.Script{Act: upstream.Always(upstream.Act{Text: "yes", Tokens: []upstream.Token{{Text: "yes", Logprob: -0.2, Top: []upstream.Token{yes, no}}}})})
	a := ask(t, s.URL+chat, body("x", `,"logprobs":true,"top_logprobs":2`))
	want := []any{
		map[string]any{"token": "yes", "logprob": -0.2, "bytes": []any{121.0, 101.0, 115.0}},
		map[string]any{"token": "no", "logprob": -1.75, "bytes": []any{110.0, 111.0}},
	}
	if d := cmp.Diff(want, at(t, a.body, "choices", 0, "logprobs", "content", 0, "top_logprobs")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if a := ask(t, s.URL+chat, body("x")); at(t, a.body, "choices", 0, "logprobs") != nil {
		t.Errorf("told to one who did not ask: %s", a.body)
	}
}

func TestAForcedToolGetsTheTextAsItsInput(t *testing.T) {
	t.Parallel()
	s := upstream.Start(t, upstream.Script{})
	a := ask(t, s.URL+messages, body("x", `,"tools":[],"tool_choice":{"type":"tool","name":"verdict"}`))
	want := map[string]any{"type": "tool_use", "id": "toolu_1", "name": "verdict", "input": map[string]any{"verdict": "pass"}}
	if d := cmp.Diff(want, at(t, a.body, "content", 0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
