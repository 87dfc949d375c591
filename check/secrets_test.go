package check

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"newel"
)

// exampleSecrets is one invented credential of each kind, put together here so
// that no scanner takes this file for a leak.
func exampleSecrets() map[string]string {
	hash := "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
	return map[string]string{
		"anthropic":     "sk-" + "ant-api03-" + hash + hash,
		"aws":           "AKIA" + "Q7XW2M5ZT3KD6VBN",
		"azure-storage": "AccountKey=" + strings.Repeat("aB3dE5fG7h", 8) + "kL1mN2" + "==",
		"github":        "ghp_" + hash + "z1Y2",
		"gitlab":        "glpat-" + "aB3dE5fG7hJ9kL1mN2pQ",
		"google":        "AIza" + hash + "z-_",
		"huggingface":   "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
		"jwt":           "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiJ1c2VyIn0." + hash,
		"npm":           "npm_" + hash + "z1Y2",
		"openai":        "sk-proj-" + hash + "T3Blbk" + "FJ" + hash,
		"private-key":   "-----BEGIN " + "RSA PRIVATE KEY-----",
		"pypi":          "pypi-" + "AgEIcHlwaS5vcmc" + hash + hash,
		"sendgrid":      "SG." + "aB3dE5fG7hJ9kL1mN2pQ4r." + hash + "z1Y2x3W4v5U",
		"slack":         "xoxb-" + "1234567890-" + hash,
		"stripe":        "sk_" + "live_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6",
	}
}

func TestEveryKindOfSecretIsFoundAndNeverShown(t *testing.T) {
	t.Parallel()
	examples := exampleSecrets()
	for i, kind := range secretKinds {
		secret, ok := examples[kind.name]
		if !ok {
			t.Errorf("%s has no example", kind.name)
			continue
		}
		for _, text := range []string{secret, `key="` + secret + `",`, "Use " + secret + "\nnow."} {
			found := findSecrets(text, []string{secretKinds[i].name})
			if len(found) != 1 || found[0].kind != kind.name {
				t.Errorf("%s: found %v in %q", kind.name, found, text)
			}
		}
		c, err := ruleCheck(t, `"secrets"`, &Env{})
		if err != nil {
			t.Fatal(err)
		}
		score := c.Score(context.Background(), newel.NewSubject(&newel.Item{Case: &newel.Case{Output: newel.AppendString(nil, "It is "+secret+" now")}}))
		shown, _ := json.Marshal(score)
		if score.Verdict != newel.Fail || !strings.Contains(score.Explanation, kind.name) {
			t.Errorf("%s: %s", kind.name, ruleSays(score))
		}
		if rest := secret[kind.keep:]; len(rest) > 4 && strings.Contains(string(shown), rest[:min(8, len(rest))]) {
			t.Errorf("%s: the secret is in %s", kind.name, shown)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	aws := exampleSecrets()["aws"]
	testRules(t, []rule{
		{"plain text passes", `"secrets"`, "The task-list is at https://example.com/sk-live?token=none.", nil, "pass"},
		{"documentation's example key passes", `"secrets"`, "AKIA" + "IOSFODNN7EXAMPLE", nil, "pass"},
		{"a row of x passes", `"secrets"`, "ghp_" + strings.Repeat("x", 36), nil, "pass"},
		{"three dotted words that are no token pass", `"secrets"`, "eyJub3RhbnRoaW5n.eyJub3RhbnRoaW5n.aB3dE5fG7hJ9kL1mN2pQ4rS6", nil, "pass"},
		{"part of a longer word passes", `"secrets"`, "XX" + aws, nil, "pass"},
		{"what is found is masked", `"secrets"`, "Key: " + aws, nil, "fail: holds what looks like secret of kind aws: AKIA… (20 characters)"},
		{"other kinds are passed over", `{"secrets": ["github"]}`, aws, nil, "pass"},
		{"the kinds may come from the case", `{"secrets": {"from": "vars.k"}}`, aws, varsCase("k", `["aws"]`), "fail: holds what looks like secret of kind aws: AKIA… (20 characters)"},
		{"an unknown kind of the case is an error of definition", `{"secrets": {"from": "vars.k"}}`, aws, varsCase("k", `["azure"]`), `error definition: vars.k: has no "azure" (did you mean "azure-storage"?); there are ` + strings.Join(secretNames(), ", ")},
	})
	testMistakes(t, []mistake{
		{"an unknown kind", `{"secrets": ["githup"]}`, `secrets: kinds has no "githup" (did you mean "github"?); there are ` + strings.Join(secretNames(), ", ")},
		{"no kinds", `{"secrets": []}`, `secrets: kinds is empty: leave it out for all`},
	})
}

func FuzzFindSecrets(f *testing.F) {
	for _, s := range exampleSecrets() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range findSecrets(text, secretNames()) {
			if !strings.Contains(l.masked, "… (") {
				t.Fatalf("%q is not masked", l.masked)
			}
		}
	})
}
