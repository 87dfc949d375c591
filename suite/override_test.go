package suite

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const judged = `newel: v1
name: judged
data: {cases: [{id: a, output: x, context: [y], vars: {r: '{"verdict":"pass"}'}}]}
rubrics:
  - name: grounded
    judge: {prompt: "builtin:groundedness@1", sample: all}
  - name: own
    judge: {criterion: Is kind., sample: all, models: [m, n], votes: 2, params: {top_p: 1}, gateway: {name: own, url: "http://own.invalid/v1"}}
  - name: recorded
    judge: {criterion: Is kind., sample: all, replies: {from: vars.r}, model: z}
judge:
  gateway: {name: main, url: "${GW}", key_env: KEY}
  model: m
`

// overridden loads a suite with these overrides, each KEY=VALUE.
func overridden(t *testing.T, text string, list ...string) (*Suite, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "suite.yaml")
	writeFile(t, file, text)
	env := testEnv
	for _, o := range list {
		key, value, _ := strings.Cut(o, "=")
		env.Overrides = append(env.Overrides, Override{key, value, "--a " + o})
	}
	s, err := Load(file, env)
	if err == nil {
		t.Cleanup(func() { ok(t, s.Close()) })
	}
	return s, err
}

// seenJudge is what is seen of a suite's judges.
type seenJudge struct {
	Prompt, Gateway, URL, Key, Dialect string
	Models                             []string
	Votes                              int
	Params                             map[string]any
}

func seenJudges(s *Suite) map[string]seenJudge {
	out := map[string]seenJudge{}
	for _, r := range s.Rubrics {
		j := r.Judge
		one := seenJudge{Prompt: j.Def.Prompt.Name, Gateway: j.Def.Gateway, Votes: j.Def.Votes}
		if g := j.Gateway; g != nil {
			one.URL, one.Key, one.Dialect, one.Params = g.URL, g.KeyEnv, g.Dialect, j.Def.Params
		}
		for _, m := range j.Def.Models {
			one.Models = append(one.Models, m.Const)
		}
		out[r.Name] = one
	}
	return out
}

func TestOverridesReachEveryJudgeThatIsAsked(t *testing.T) {
	t.Parallel()
	plain, err := overridden(t, judged)
	ok(t, err)
	for name, tt := range map[string]struct {
		list   []string
		change func(grounded, own *seenJudge)
	}{
		"a model, also in place of several": {[]string{"model=x"}, func(g, o *seenJudge) { g.Models, o.Models = []string{"x"}, []string{"x"} }},
		"a gateway": {[]string{"gateway.url=${OTHER}", "gateway.name=other", "gateway.key_env=OTHER_KEY", "gateway.dialect=litellm"}, func(g, o *seenJudge) {
			for _, j := range []*seenJudge{g, o} {
				j.URL, j.Gateway, j.Key, j.Dialect = "${OTHER}", "other", "OTHER_KEY", "litellm"
			}
		}},
		"a prompt, where there is one": {[]string{"prompt=builtin:relevance@1"}, func(g, o *seenJudge) { g.Prompt = "builtin:relevance@1" }},
		"votes":                        {[]string{"votes=3"}, func(g, o *seenJudge) { g.Votes, o.Votes = 3, 3 }},
		"parameters": {[]string{"params.temperature=0.5", "params.seed=7"}, func(g, o *seenJudge) {
			g.Params = map[string]any{"temperature": 0.5, "seed": 7.0}
			o.Params = map[string]any{"temperature": 0.5, "seed": 7.0, "top_p": 1.0}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := overridden(t, judged, tt.list...)
			ok(t, err)
			want := seenJudges(plain)
			g, o := want["grounded"], want["own"]
			tt.change(&g, &o)
			want["grounded"], want["own"] = g, o
			if diff := cmp.Diff(want, seenJudges(s)); diff != "" {
				t.Error(diff)
			}
			if s.Digest == plain.Digest && name != "votes" {
				t.Error("the suite's digest is that of another")
			}
			body, err := s.Marshal(nil)
			ok(t, err)
			again, err := Restore(body, testEnv)
			ok(t, err)
			if diff := cmp.Diff(seenJudges(s), seenJudges(again)); diff != "" || again.Digest != s.Digest {
				t.Errorf("what is stored is another: %s", diff)
			}
		})
	}
}

func TestOverridesMakeTheSuitesJudgeWhereThereIsNone(t *testing.T) {
	t.Parallel()
	head, _, _ := strings.Cut(judged, "  - name: own")
	s, err := overridden(t, head, "model=x", "gateway.url=http://y.invalid/v1")
	ok(t, err)
	if j := seenJudges(s)["grounded"]; j.URL != "http://y.invalid/v1" || len(j.Models) != 1 || j.Models[0] != "x" {
		t.Errorf("%+v", j)
	}
}

func TestWrongOverridesAreMistakesThatNameThem(t *testing.T) {
	t.Parallel()
	criteria := strings.Replace(judged, `prompt: "builtin:groundedness@1"`, "criterion: Is short.", 1)
	for name, tt := range map[string]struct{ text, set, want string }{
		"an unknown key":             {judged, "modle=x", `--a modle=x: there is no key "modle" to set (did you mean "model"?)`},
		"a key that is none for it":  {judged, "sample=1", `--a sample=1: there is no key "sample" to set`},
		"nothing":                    {judged, "model=", `--a model=: model is set to nothing`},
		"a parameter without a name": {judged, "params.=1", `--a params.=1: params. needs the name`},
		"an unknown dialect":         {judged, "gateway.dialect=litelm", `--a gateway.dialect=litelm: there is no dialect "litelm" (did you mean "litellm"?)`},
		"votes that are no number":   {judged, "votes=many", `--a votes=many: `},
		"an unknown prompt":          {judged, "prompt=builtin:groundednes@1", `--a prompt=builtin:groundednes@1: there is no builtin prompt`},
		"a prompt that nobody reads": {criteria, "prompt=builtin:relevance@1", `--a prompt=builtin:relevance@1: no rubric would read it`},
		"a parameter that is broken": {judged, "params.x=[", `--a params.x=[`},
	} {
		_, err := overridden(t, tt.text, tt.set)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}
