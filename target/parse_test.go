package target

import (
	"strings"
	"testing"

	"newel"
)

func TestMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, suite string
		want        []string // one for each mistake, in order
	}{
		{"no map", `http`, []string{`1:1: target is a map of openai, http, command, timeout, concurrency, retries; this is a text`}},
		{"no kind", `{timeout: 5s}`, []string{`1:1: target needs one of openai, http, command`}},
		{"two kinds", `{http: {url: "http://h/{{ id }}"}, openai: {url: "http://h", model: m}}`, []string{`1:1: target takes one of openai, http, command, not openai and http together`}},
		{"unknown keys, all at once", "htp: {}\nretrys: 1\nx-note: fine\nhttp:\n  url: http://h/{{ id }}\n  bdy: x\n", []string{
			`1:1: target has no key "htp" (did you mean "http"?)`,
			`2:1: target has no key "retrys" (did you mean "retries"?)`,
			`6:3: http has no key "bdy" (did you mean "body"?)`,
		}},
		{"a common key one level down", `{http: {url: "http://h/{{ id }}", timeout: 5s}}`, []string{`http has no key "timeout": it stands beside http, one level up`}},
		{"numbers out of range", `{http: {url: "http://h/{{ id }}"}, timeout: 5, concurrency: 0, retries: 1.5}`, []string{
			"1:45: timeout is a time span with its unit", "concurrency is a whole number from 1 to 10000", "retries is a whole number from 0 to 20"}},
		{"openai needs url and model", `openai: {}`, []string{"openai needs url", "openai needs model"}},
		{"a key in place of its name", `openai: {url: "http://h", model: m, key_env: "sk-123"}`, []string{"1:46: key_env is the name"}},
		{"params that are newel's", `openai: {url: "http://h", model: m, params: {stream: true, n: 2, top_p: 1}}`, []string{"stream is not for params", "n is not for params"}},
		{"a prompt of messages beside a system", `openai: {url: "http://h", model: m, system: s, prompt: [{role: user, content: x}]}`, []string{"leave system out"}},
		{"a prompt of something else", `openai: {url: "http://h", model: m, prompt: [hello]}`, []string{"1:46: openai: prompt is a text, or a list of messages"}},
		{"a prompt of itself", `openai: {url: "http://h", model: m, prompt: "{{ messages }}"}`, []string{"{{ messages }} is what the prompt makes"}},
		{"tools that are no list", `openai: {url: "http://h", model: m, tools: {a: 1}}`, []string{"tools is a list"}},
		{"a case in an openai url", `openai: {url: "http://h/{{ id }}", model: m}`, []string{"values of a case cannot stand here"}},
		{"a password in a url", `http: {url: "https://ann:secret@h/{{ id }}"}`, []string{"put the whole URL into an environment variable"}},
		{"a password by a variable is in one url too", `http: {url: "https://ann:${PW}@h/{{ id }}"}`, []string{"put the whole URL into an environment variable"}},
		{"not http", `http: {url: "ftp://h/{{ id }}"}`, []string{"is not the URL of an HTTP service"}},
		{"no scheme", `http: {url: "h/{{ id }}"}`, []string{"is not the URL of an HTTP service"}},
		{"a case that chooses the host", `http: {url: "http://{{ vars.host }}/"}`, []string{"not choose the host"}},
		{"a case that goes on with the host", `http: {url: "${BASE}{{ vars.host }}/"}`, []string{"not choose the host"}},
		{"a case that is the url", `http: {url: "{{ vars.url }}"}`, []string{"is not the URL of an HTTP service"}},
		{"a secret in a header", `http: {url: "http://h/{{ id }}", headers: {authorization: Bearer x}}`, []string{"a secret written here would be stored"}},
		{"headers of newel's own and of no name", `http: {url: "http://h/{{ id }}", headers: {host: a, "a b": c, x: 1}}`, []string{"Host is set by newel", `"a b" is not the name`, "x is a text of one line"}},
		{"all cases alike", `http: {url: "http://h", body: {a: 1}}`, []string{"all cases would ask the same"}},
		{"a body that is nearly JSON", `http: {url: "http://h", body: '{"a": {{ input }},}'}`, []string{"the body is not JSON"}},
		{"a value in a key", `http: {url: "http://h", body: {"{{ id }}": "{{ id }}"}}`, []string{"cannot stand in keys"}},
		{"a method of no kind, and a body of none", `http: {url: "http://h/{{ id }}", method: HEAD}`, []string{"method is one of GET, POST"}},
		{"a body on GET", `http: {url: "http://h", method: GET, body: "{{ id }}"}`, []string{"GET sends no body"}},
		{"a take of nothing", `http: {url: "http://h/{{ id }}", take: {contxt: /a}}`, []string{"take needs output or output_calls", `take has no key "contxt" (did you mean "context"?)`}},
		{"templates with logic", `http: {url: "http://h", body: "a\n{{#each x}}{{ inptu }}{{ output }}{{ labels.r }}{{ }}{{ id }}{{ id"}`, []string{
			"line 2 of the text: {{ #each x }}: a template takes a path and nothing else", `(did you mean "input"?)`, "there is none yet", "never shown to the target", "names nothing", `"{{" is not closed`}},
		{"a variable of no name", `http: {url: "${}/{{ id }}"}`, []string{`"${" starts the name`, "is not the URL"}},
		{"a command without anything", `command: {}`, []string{"command needs run", "--allow-commands"}},
		{"a command of wrong forms", `command: {run: [../x, 1, "{{ id }}"], env: [A=b]}`, []string{"--allow-commands", "leaves the suite's folder", "quote what is a number", "come as a line", "env lists names"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var m newel.Mistakes
			if Parse(node(t, tt.suite), Env{Dir: "."}, &m) != nil {
				t.Error("a target came of it")
			}
			got := m.List()
			if len(got) != len(tt.want) {
				t.Fatalf("got %d mistakes, want %d:\n%v", len(got), len(tt.want), m.Err())
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i].String(), want) {
					t.Errorf("got  %s\nwant …%s…", got[i], want)
				}
				if got[i].Pos.Line == 0 {
					t.Errorf("no place: %s", got[i])
				}
			}
		})
	}
}

func TestMistakesOfSeveral(t *testing.T) {
	t.Parallel()
	for suite, want := range map[string]string{
		`{}`:                 "targets is a map of names",
		`[a]`:                "targets is a map of names",
		`{"a b": {}, c: {}}`: `this is "a b"`,
	} {
		var m newel.Mistakes
		if ParseMany(node(t, suite), Env{}, &m) != nil || !strings.Contains(m.Error(), want) {
			t.Errorf("%s: got %v, want %s", suite, m.Err(), want)
		}
	}
}

func TestVariablesAreListed(t *testing.T) {
	t.Parallel()
	set := one(t, `openai: {url: "${BASE}/v1/$${x}", model: m, key_env: KEY, headers: {X-A: "${ORG}", X-B: "${KEY}"}}`, Env{})
	if got := strings.Join(set.Variables(), " "); got != "BASE KEY ORG" {
		t.Errorf("got %s", got)
	}
}
