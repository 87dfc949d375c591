package check

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"newel"
)

// secretKind is one format of a credential, so particular that a match is
// hardly ever anything else.
type secretKind struct {
	name    string
	anchors []string // one of them is in every match, and a cheap thing to look for first
	pattern string
	keep    int // how many of its first characters are public
	valid   func(match string) bool
}

// secretKinds lists the formats. Sources: the issuers' own descriptions and
// the prefixes that they registered with secret scanners.
var secretKinds = []secretKind{
	{"anthropic", []string{"sk-ant-"}, `\bsk-ant-(?:api|admin|oat)\d{2}-[A-Za-z0-9_-]{40,}`, 7, varied},
	{"aws", []string{"AKIA", "ASIA"}, `\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`, 4, varied},
	{"azure-storage", []string{"AccountKey="}, `AccountKey=[A-Za-z0-9+/]{86}==`, 11, varied},
	{"github", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, `\b(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b`, 4, varied},
	{"gitlab", []string{"glpat-"}, `\bglpat-[A-Za-z0-9_-]{20,}`, 6, varied},
	{"google", []string{"AIza"}, `\bAIza[A-Za-z0-9_-]{35}`, 4, varied},
	{"huggingface", []string{"hf_"}, `\bhf_[A-Za-z]{34}\b`, 3, varied},
	{"jwt", []string{"eyJ"}, `\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`, 3, isJWT},
	{"npm", []string{"npm_"}, `\bnpm_[A-Za-z0-9]{36}\b`, 4, varied},
	{"openai", []string{"T3BlbkFJ"}, `\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{16,}T3BlbkFJ[A-Za-z0-9_-]{16,}`, 3, varied},
	{"private-key", []string{"PRIVATE KEY"}, `-----BEGIN (?:[A-Z0-9]+ )?PRIVATE KEY(?: BLOCK)?-----`, 27, nil},
	{"pypi", []string{"pypi-AgE"}, `\bpypi-AgE[A-Za-z0-9_-]{50,}`, 5, varied},
	{"sendgrid", []string{"SG."}, `\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`, 3, varied},
	{"slack", []string{"xox", "hooks.slack.com/services/"}, `\bxox[abeoprs]-[A-Za-z0-9-]{20,}|hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}`, 4, varied},
	{"stripe", []string{"_live_"}, `\b(?:sk|rk)_live_[A-Za-z0-9]{20,}`, 8, varied},
}

// varied is false for what stands in documentation: x's, a run of one digit,
// a word EXAMPLE at the end.
func varied(match string) bool {
	seen := map[rune]bool{}
	for _, r := range match[len(match)/3:] {
		seen[r] = true
	}
	return len(seen) >= 6 && !strings.HasSuffix(match, "EXAMPLE")
}

// isJWT reports whether the first part of a token is a JSON header that names
// an algorithm.
func isJWT(match string) bool {
	header, _, _ := strings.Cut(match, ".")
	b, err := base64.RawURLEncoding.DecodeString(header)
	var fields struct {
		Alg string `json:"alg"`
	}
	return err == nil && json.Unmarshal(b, &fields) == nil && fields.Alg != ""
}

// secretPatterns compiles the formats when they are first needed.
var secretPatterns = sync.OnceValue(func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(secretKinds))
	for i, k := range secretKinds {
		out[i] = regexp.MustCompile(k.pattern)
	}
	return out
})

func secretNames() []string {
	names := make([]string, len(secretKinds))
	for i, k := range secretKinds {
		names[i] = k.name
	}
	return names
}

// secretsSpec looks for credentials.
func secretsSpec() *Spec {
	return &Spec{
		Name: "secrets", Family: "regex", Main: "kinds",
		About:       "The text holds no credential of a well-known format: keys and tokens of cloud and code services, private key blocks, JSON web tokens. What is found is never shown, only its kind, its public prefix and its length.",
		Source:      "the formats that issuers publish for secret scanning",
		Params:      []Param{{Name: "kinds", Type: "list of " + strings.Join(secretNames(), ", "), About: "which formats to look for", Default: "all"}},
		Extra:       readingParams,
		Approximate: "Only formats with a telling prefix are known; passwords and keys without one pass. Examples from documentation (few different characters, ending in EXAMPLE) are passed over.",
		Example:     "secrets",
		Build: func(a *Args) Func {
			kinds, reading := chosen(a, "kinds", secretNames()), ReadingOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, err := boundedText(reading, s)
				if err != nil {
					return Because(err)
				}
				wanted, err := kinds.At(s)
				if err != nil {
					return Because(err)
				}
				return leaks("secret", findSecrets(text, wanted))
			}
		},
	}
}

// leak is something found that must not be shown.
type leak struct{ kind, masked string }

// maxLeaks is how many finds a score lists.
const maxLeaks = 20

func findSecrets(text string, kinds []string) []leak {
	var found []leak
	for i, k := range secretKinds {
		if !contained(kinds, k.name) || !containsAny(text, k.anchors) {
			continue
		}
		for _, match := range secretPatterns()[i].FindAllString(text, maxLeaks) {
			if k.valid == nil || k.valid(match) {
				found = append(found, leak{k.name, masked(match, k.keep)})
			}
		}
	}
	return found
}

func contained(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

func containsAny(text string, needles []string) bool {
	for _, n := range needles {
		if strings.Contains(text, n) {
			return true
		}
	}
	return false
}

// leaks is the score of what was found, shown only in its masked form.
func leaks(what string, found []leak) newel.Score {
	if len(found) == 0 {
		return newel.Passed()
	}
	score := newel.Score{Verdict: newel.Fail, Explanation: "holds what looks like " + what + " of kind " + found[0].kind + ": " + found[0].masked}
	if len(found) > 1 {
		score.Explanation += ", and more"
	}
	for _, l := range found[:min(len(found), maxLeaks)] {
		score.Evidence = append(score.Evidence, newel.Evidence{Path: "output", Want: "no " + l.kind, Got: l.masked})
	}
	return score
}
