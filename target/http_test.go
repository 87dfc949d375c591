package target

import (
	"io"
	"log"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestHTTPRequests(t *testing.T) {
	t.Parallel()
	c := newCase(`"a \"b\" & c/ü"`,
		newel.Named{Name: "n", Value: newel.Raw(`3`)},
		newel.Named{Name: "a.b", Value: newel.Raw(`{"x":[1,2]}`)})
	tests := []struct {
		name, suite      string
		method, uri, typ string
		body             string
	}{
		{"a map becomes JSON, a value by itself stays what it is",
			`{url: "${U}/ask", body: {q: "{{ input }}", n: "{{ vars.n }}", deep: [{all: "{{ /vars/a.b }}"}], text: "n={{ vars.n }}", flag: true, none: null}}`,
			"POST", "/ask", "application/json", `{"q":"a \"b\" & c/ü","n":3,"deep":[{"all":{"x":[1,2]}}],"text":"n=3","flag":true,"none":null}`},
		{"a text that is JSON is filled as JSON",
			`{url: "${U}", body: '{"q": "say {{ input }}", "m": {{ messages }}}'}`,
			"POST", "/", "application/json", `{"q": "say a \"b\" & c/ü", "m": [{"content":"a \"b\" & c/ü","role":"user"}]}`},
		{"a text that is none is filled as it is",
			`{url: "${U}", body: 'Q: {{ case.input }} {{ "{{" }}x}}', method: put}`,
			"PUT", "/", "text/plain; charset=utf-8", `Q: a "b" & c/ü {{x}}`},
		{"a form is escaped as one",
			`{url: "${U}", headers: {content-type: application/x-www-form-urlencoded}, body: 'q={{ input }}&n={{ vars.n }}'}`,
			"POST", "/", "application/x-www-form-urlencoded", `q=a+%22b%22+%26+c%2F%C3%BC&n=3`},
		{"path and query are escaped, and no body means GET",
			`{url: "${U}/p/{{ input }}/x?q={{ input }}", headers: {X-N: "n{{ vars.n }}"}}`,
			"GET", "/p/a%20%22b%22%20&%20c%2F%C3%BC/x?q=a+%22b%22+%26+c%2F%C3%BC", "", ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [4]string
			url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				got = [4]string{r.Method, r.RequestURI, r.Header.Get("Content-Type"), string(raw)}
				io.WriteString(w, "yes")
			})
			set := one(t, "http: "+tt.suite, newWorld(map[string]string{"U": url}).Env)
			wantOutput(t, ask(t, set, c), `"yes"`)
			if diff := cmp.Diff([4]string{tt.method, tt.uri, tt.typ, tt.body}, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValuesThatWouldChangeTheRequest(t *testing.T) {
	t.Parallel()
	set := one(t, `http: {url: "http://127.0.0.1:1/{{ vars.p }}", headers: {X-A: "{{ input }}"}}`, newWorld(nil).Env)
	wantErr(t, ask(t, set, newCase(`"x"`, newel.Named{Name: "p", Value: newel.Raw(`".."`)})), newel.KindCase, "another folder")
	wantErr(t, ask(t, set, newCase(`"x\r\nAuthorization: y"`, newel.Named{Name: "p", Value: newel.Raw(`"p"`)})), newel.KindCase, "line breaks")
}

func TestTake(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, take, response string
		want                 newel.Fetched
		wantErr              string
	}{
		{name: "the whole response is the output without it", response: `{"a": 1}`, want: newel.Fetched{Output: newel.Raw(`"{\"a\": 1}"`)}},
		{name: "a text alone is where the output is", take: `/reply`, response: `{"reply":"yes"}`, want: newel.Fetched{Output: newel.Raw(`"yes"`)}},
		{name: "an empty pointer is all of it", take: `''`, response: `{"reply":"yes"}`, want: newel.Fetched{Output: newel.Raw(`{"reply":"yes"}`)}},
		{name: "output, context and what it cost", take: `{output: data.0.text, context: /passages, run.cost_usd: /cost, run.usage: /u}`,
			response: `{"data":[{"text":"yes"}],"passages":[{"id":"1","text":"p"},"q"],"cost":0.5,"u":{"t":1}}`,
			want: newel.Fetched{Output: newel.Raw(`"yes"`), Context: newel.Raw(`[{"id":"1","text":"p"},"q"]`),
				Run: newel.Raw(`{"attempts":1,"cost_usd":0.5,"latency_ms":0,"usage":{"t":1}}`)}},
		{name: "one passage is a list of one", take: `{output: /r, context: /p}`, response: `{"r":"x","p":"one"}`, want: newel.Fetched{Output: newel.Raw(`"x"`), Context: newel.Raw(`["one"]`)}},
		{name: "no passages are an empty list", take: `{output: /r, context: /p}`, response: `{"r":"x","p":[]}`, want: newel.Fetched{Output: newel.Raw(`"x"`), Context: newel.Raw(`[]`)}},
		{name: "what else is not there is absent", take: `{output: /r, context: /p, run.cost_usd: /c, output_calls: /t}`, response: `{"r":"x","p":null}`, want: newel.Fetched{Output: newel.Raw(`"x"`)}},
		{name: "calls make it a message", take: `{output: /r, output_calls: /t}`, response: `{"r":"x","t":[{"name":"f","arguments":{"a":1}}]}`,
			want: newel.Fetched{Output: newel.Raw(`{"content":"x","role":"assistant","tool_calls":[{"arguments":{"a":1},"name":"f"}]}`)}},
		{name: "only calls, and there are none", take: `{output_calls: /t}`, response: `{"t":[]}`, want: newel.Fetched{Output: newel.Raw(`{"content":"","role":"assistant"}`)}},
		{name: "no output is no answer", take: `/reply`, response: `{"error":"x"}`, wantErr: `the response has nothing at "/reply": it has "error"`},
		{name: "no output, further in", take: `data.0.text`, response: `{"data":[{"txt":"x","id":1}]}`, wantErr: `the response has nothing at "data.0.text": "data.0" has "id", "txt"`},
		{name: "no output in a short list", take: `/data/1`, response: `{"data":["x"]}`, wantErr: `nothing at "/data/1": "data" is a list of 1`},
		{name: "an output of null", take: `/reply`, response: `{"reply":null}`, wantErr: `nothing at "/reply": "reply" is null`},
		{name: "no output in a text", take: `/reply/text`, response: `{"reply":"x"}`, wantErr: `nothing at "/reply/text": "reply" is no map or list`},
		{name: "many names are cut", take: `/x`, response: `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1}`, wantErr: `"i", "j" and 1 more`},
		{name: "no JSON", take: `/reply`, response: `oops`, wantErr: "the response is not JSON"},
		{name: "a cost that is no number", take: `{output: /r, run.cost_usd: /c}`, response: `{"r":"x","c":"free"}`, wantErr: "/c is not a number"},
		{name: "calls that are none", take: `{output: /r, output_calls: /t}`, response: `{"r":"x","t":[1]}`, wantErr: "/t holds no tool calls"},
		{name: "a context that is none", take: `{output: /r, context: /p}`, response: `{"r":"x","p":[1]}`, wantErr: "the response's context"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, _ := serve(t, status(200, tt.response))
			suite := `http: {url: "` + url + `", body: "{{ input }}"`
			if tt.take != "" {
				suite += ", take: " + tt.take
			}
			got := ask(t, one(t, suite+"}", newWorld(nil).Env), newCase(`"x"`))
			if tt.wantErr != "" {
				wantErr(t, got, newel.KindProtocol, tt.wantErr)
				return
			}
			if tt.want.Run == nil {
				tt.want.Run = newel.Raw(`{"attempts":1,"latency_ms":0}`)
			}
			tt.want.Asked = got.Asked
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHTTPTurns(t *testing.T) {
	t.Parallel()
	var bodies []string
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(raw))
		io.WriteString(w, `{"reply":{"n":1},"found":["p"]}`)
	})
	set := one(t, `http: {url: "`+url+`", body: {text: "{{ turn }}", all: "{{ messages }}"}, take: {output: /reply, context: /found}}`, newWorld(nil).Env)
	got := ask(t, set, &newel.Case{ID: "a", Turns: []string{"one", "two"}})
	wantOutput(t, got, `[{"content":"one","role":"user"},{"content":"{\"n\":1}","role":"assistant"},{"content":"two","role":"user"},{"content":"{\"n\":1}","role":"assistant"}]`)
	if string(got.Context) != `["p","p"]` {
		t.Errorf("context %s, want that of both turns", got.Context)
	}
	want := []string{
		`{"text":"one","all":[{"content":"one","role":"user"}]}`,
		`{"text":"two","all":[{"content":"one","role":"user"},{"content":"{\"n\":1}","role":"assistant"},{"content":"two","role":"user"}]}`,
	}
	if diff := cmp.Diff(want, bodies); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestSeveralTargets(t *testing.T) {
	t.Parallel()
	small, _ := serve(t, status(200, "small one"))
	large, _ := serve(t, status(200, "large one"))
	var m newel.Mistakes
	targets := ParseMany(node(t, `
small: {http: {url: "`+small+`", body: "{{ input }}"}}
large: {http: {url: "`+large+`", headers: {X-K: "${K}"}, body: "{{ dims.target }}"}}
`), newWorld(map[string]string{"K": "k"}).Env, &m)
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	set := NewSet(targets...)
	t.Cleanup(set.Close)
	if diff := cmp.Diff([]string{"small", "large"}, set.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"K"}, set.Variables()); diff != "" {
		t.Error(diff)
	}
	of := func(name string) newel.Fetched {
		return set.Ask(t.Context(), item(newCase(`"x"`), newel.Dim{Name: "target", Value: name}))
	}
	wantOutput(t, of("small"), `"small one"`)
	wantOutput(t, of("large"), `"large one"`)
	wantErr(t, of("smal"), newel.KindDefinition, `no target "smal" (did you mean "small"?)`)
	wantErr(t, ask(t, set, newCase(`"x"`)), newel.KindDefinition, "names no target")
}
