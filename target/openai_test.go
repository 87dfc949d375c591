package target

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// chat is a chat service that keeps what it was asked.
type chat struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []any
	header http.Header
	path   string
}

// newChat answers with a message; in it, %turn is the last message's content.
func newChat(t testing.TB, answer string) *chat {
	c := &chat{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body, err := newel.ParseJSON(raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		c.bodies, c.header, c.path = append(c.bodies, body), r.Header.Clone(), r.URL.String()
		c.mu.Unlock()
		var asked struct{ Messages []struct{ Content any } }
		json.Unmarshal(raw, &asked)
		last, _ := json.Marshal(asked.Messages[len(asked.Messages)-1].Content)
		io.WriteString(w, strings.ReplaceAll(answer, "%turn", strings.Trim(string(last), `"`)))
	}))
	t.Cleanup(c.Close)
	return c
}

const hello = `{"model":"m-1","choices":[{"message":{"role":"assistant","content":"Hello %turn"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"cost":0.001}}`

func jsonOf(t testing.TB, text string) any {
	t.Helper()
	v, err := newel.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestOpenAI(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, suite, input string
		vars               []newel.Named
		answer             string
		wantBody           string
		wantOutput         string
		wantRun            string
	}{
		{
			name:       "a text becomes what the user says",
			suite:      `model: gpt`,
			input:      `"Ann"`,
			answer:     hello,
			wantBody:   `{"model":"gpt","messages":[{"role":"user","content":"Ann"}]}`,
			wantOutput: `"Hello Ann"`,
			wantRun:    `{"attempts":1,"cost_usd":0.001,"finish_reason":"stop","latency_ms":0,"model":"m-1","usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"cost":0.001}}`,
		},
		{
			name:       "chat messages go as they are, after the system's text",
			suite:      `{model: gpt, system: "Speak {{ vars.tone }}.", params: {temperature: 0}}`,
			input:      `[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?"},{"role":"user","content":"Bo"}]`,
			vars:       []newel.Named{{Name: "tone", Value: newel.Raw(`"softly"`)}},
			answer:     hello,
			wantBody:   `{"model":"gpt","temperature":0,"messages":[{"role":"system","content":"Speak softly."},{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?"},{"role":"user","content":"Bo"}]}`,
			wantOutput: `"Hello Bo"`,
		},
		{
			name:       "what a case brings is never read as a template",
			suite:      `{model: gpt, prompt: "Say {{ input }}"}`,
			input:      `"{{ vars.secret }} ${TARGET_KEY}"`,
			vars:       []newel.Named{{Name: "secret", Value: newel.Raw(`"42"`)}},
			answer:     hello,
			wantBody:   `{"model":"gpt","messages":[{"role":"user","content":"Say {{ vars.secret }} ${TARGET_KEY}"}]}`,
			wantOutput: `"Hello Say {{ vars.secret }} ${TARGET_KEY}"`,
		},
		{
			name:       "a prompt may be a list of messages, with values by themselves",
			suite:      `{model: gpt, prompt: [{role: system, content: 'a "{{ input }}" b'}, {role: user, content: "{{ vars.parts }}"}]}`,
			input:      `"q\"\n"`,
			vars:       []newel.Named{{Name: "parts", Value: newel.Raw(`[{"type":"text","text":"T"}]`)}},
			answer:     `{"choices":[{"message":{"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]}}]}`,
			wantBody:   `{"model":"gpt","messages":[{"role":"system","content":"a \"q\"\n\" b"},{"role":"user","content":[{"type":"text","text":"T"}]}]}`,
			wantOutput: `"A\nB"`,
		},
		{
			name:       "an answer that asks for tools is the message",
			suite:      `{model: gpt, tools: [{type: function, function: {name: find}}]}`,
			input:      `"x"`,
			answer:     `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"find","arguments":"{\"n\":1}"}}]},"finish_reason":"tool_calls"}]}`,
			wantBody:   `{"model":"gpt","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"find"}}]}`,
			wantOutput: `{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"n\":1}","name":"find"},"id":"1","type":"function"}]}`,
		},
		{
			name:       "an answer that was cut off is an answer, and says so",
			suite:      `model: gpt`,
			input:      `"x"`,
			answer:     `{"choices":[{"message":{"content":"half an"},"finish_reason":"length"}],"usage":{"cost":0}}`,
			wantBody:   `{"model":"gpt","messages":[{"role":"user","content":"x"}]}`,
			wantOutput: `"half an"`,
			wantRun:    `{"attempts":1,"finish_reason":"length","latency_ms":0,"usage":{"cost":0}}`,
		},
		{
			name:       "a refusal is the output of a message without content",
			suite:      `model: gpt`,
			input:      `"x"`,
			answer:     `{"choices":[{"message":{"content":null,"refusal":"I will not."}}]}`,
			wantBody:   `{"model":"gpt","messages":[{"role":"user","content":"x"}]}`,
			wantOutput: `"I will not."`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service := newChat(t, tt.answer)
			w := newWorld(map[string]string{"BASE": service.URL + "/v1", "TARGET_KEY": "sk-12345"})
			n := node(t, tt.suite)
			n.Fields = append(n.Fields,
				&newel.Field{Name: "url", Node: &newel.Node{Value: "${BASE}"}},
				&newel.Field{Name: "key_env", Node: &newel.Node{Value: "TARGET_KEY"}})
			set := ofKind(t, "openai", n, w.Env)
			got := ask(t, set, newCase(tt.input, tt.vars...))
			wantOutput(t, got, tt.wantOutput)
			if diff := cmp.Diff([]any{jsonOf(t, tt.wantBody)}, service.bodies); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			if tt.wantRun != "" {
				if diff := cmp.Diff(jsonOf(t, tt.wantRun), jsonOf(t, string(got.Run))); diff != "" {
					t.Errorf("run (-want +got):\n%s", diff)
				}
			}
			if service.path != "/v1/chat/completions" || service.header.Get("Authorization") != "Bearer sk-12345" {
				t.Errorf("asked %s with %v", service.path, service.header)
			}
		})
	}
}

func ofKind(t testing.TB, kind string, n *newel.Node, env Env) *Set {
	t.Helper()
	var m newel.Mistakes
	target := Parse(&newel.Node{Fields: []*newel.Field{{Name: kind, Node: n}}}, env, &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	set := NewSet(target)
	t.Cleanup(set.Close)
	return set
}

func TestTheWholeAddressIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	service := newChat(t, hello)
	set := one(t, `openai: {url: "`+service.URL+`/deployments/x/chat/completions?api-version=2", model: "{{ dims.model }}", headers: {api-key: "${K}"}}`,
		newWorld(map[string]string{"K": "kk"}).Env)
	c := newCase(`"x"`)
	got := set.Ask(t.Context(), item(c, newel.Dim{Name: "model", Value: "m7"}))
	wantOutput(t, got, `"Hello x"`)
	if service.path != "/deployments/x/chat/completions?api-version=2" || service.header.Get("Api-Key") != "kk" {
		t.Errorf("asked %s with %v", service.path, service.header)
	}
	if model := service.bodies[0].(map[string]any)["model"]; model != "m7" {
		t.Errorf("model %v, want that of the matrix", model)
	}
}

func TestTurns(t *testing.T) {
	t.Parallel()
	service := newChat(t, hello)
	set := one(t, `openai: {url: "`+service.URL+`", model: m, system: Be brief.}`, newWorld(nil).Env)
	t.Run("are sent one after another and the output is the conversation", func(t *testing.T) {
		got := ask(t, set, &newel.Case{ID: "a", Turns: []string{"one", "two"}})
		wantOutput(t, got, `[{"content":"one","role":"user"},{"content":"Hello one","role":"assistant"},{"content":"two","role":"user"},{"content":"Hello two","role":"assistant"}]`)
		run := jsonOf(t, string(got.Run)).(map[string]any)
		if run["attempts"] != 2.0 || run["cost_usd"] != 0.002 || run["usage"].(map[string]any)["total_tokens"] != 14.0 {
			t.Errorf("run %s, want the sums of both calls", got.Run)
		}
		second := jsonOf(t, `[{"role":"system","content":"Be brief."},{"role":"user","content":"one"},{"role":"assistant","content":"Hello one"},{"role":"user","content":"two"}]`)
		if diff := cmp.Diff(second, service.bodies[1].(map[string]any)["messages"]); diff != "" {
			t.Errorf("second request (-want +got):\n%s", diff)
		}
	})
	t.Run("follow an input that the user said", func(t *testing.T) {
		c := newCase(`"zero"`)
		c.Turns = []string{"one"}
		got := ask(t, set, c)
		wantOutput(t, got, `[{"content":"zero","role":"user"},{"content":"Hello zero","role":"assistant"},{"content":"one","role":"user"},{"content":"Hello one","role":"assistant"}]`)
	})
	t.Run("follow messages that end with the assistant at once", func(t *testing.T) {
		c := newCase(`[{"role":"assistant","content":"Welcome"}]`)
		c.Turns = []string{"one"}
		got := ask(t, set, c)
		wantOutput(t, got, `[{"content":"Welcome","role":"assistant"},{"content":"one","role":"user"},{"content":"Hello one","role":"assistant"}]`)
	})
	t.Run("stop where tools are asked for that nobody runs", func(t *testing.T) {
		tools := newChat(t, `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f"}}]}}]}`)
		set := one(t, `openai: {url: "`+tools.URL+`", model: m}`, newWorld(nil).Env)
		got := ask(t, set, &newel.Case{ID: "a", Turns: []string{"one", "two"}})
		wantErr(t, got, newel.KindProtocol, "turn 1 of 2 was answered with tool calls")
	})
}

func TestCasesThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	set := one(t, `openai: {url: "http://127.0.0.1:1", model: m}`, newWorld(nil).Env)
	prompted := one(t, `openai: {url: "http://127.0.0.1:1", model: m, prompt: "{{ vars.q }}"}`, newWorld(nil).Env)
	tests := []struct {
		name string
		set  *Set
		c    *newel.Case
		want string
	}{
		{"neither input nor turns", set, newCase(""), "neither input nor turns"},
		{"an input that is no chat", set, newCase(`{"a":1}`), "neither text nor chat messages"},
		{"media", set, &newel.Case{Input: newel.Raw(`"x"`), Media: []newel.Media{{URL: "u"}}}, "media"},
		{"a field that is not there", prompted, newCase(`"x"`), "the case has no vars"},
		{"a field that is null", prompted, newCase(`"x"`, newel.Named{Name: "q", Value: newel.Raw("null")}), "vars.q is null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErr(t, ask(t, tt.set, tt.c), newel.KindCase, tt.want)
		})
	}
}

func TestAnswersThatAreNoCompletion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, answer string
		kind         newel.ErrorKind
		want         string
	}{
		{"no JSON", "<html>", newel.KindProtocol, "the response is not JSON"},
		{"no choices", `{"choices":[]}`, newel.KindProtocol, "no chat completion"},
		{"no message", `{"choices":[{"text":"x"}]}`, newel.KindProtocol, "has no message"},
		{"an error under a good status", `{"error":{"code":400,"message":"no such model"}}`, newel.KindTarget, "no such model"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			service := newChat(t, tt.answer)
			set := one(t, `openai: {url: "`+service.URL+`", model: m}`, newWorld(nil).Env)
			wantErr(t, ask(t, set, newCase(`"x"`)), tt.kind, tt.want)
			if len(service.bodies) != 1 {
				t.Errorf("asked %d times, want once", len(service.bodies))
			}
		})
	}
}
