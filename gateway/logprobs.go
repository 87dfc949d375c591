package gateway

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"newel"
)

// logprobs is the value as the wire has it.
type logprobs struct {
	Content []struct {
		Token   string  `json:"token"`
		Logprob float64 `json:"logprob"`
		Top     []struct {
			Token   string  `json:"token"`
			Logprob float64 `json:"logprob"`
		} `json:"top_logprobs"`
	} `json:"content"`
}

// tokensOf reads the tokens of an answer, of a stream from all its chunks; none
// where they cannot be read.
func tokensOf(v any) []Token {
	raws, ok := v.([]newel.Raw)
	if raw, one := v.(newel.Raw); one && raw.Kind() == '{' {
		raws, ok = []newel.Raw{raw}, true
	}
	if !ok {
		return nil
	}
	var tokens []Token
	for _, raw := range raws {
		var l logprobs
		if err := json.Unmarshal(raw, &l, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil
		}
		for _, t := range l.Content {
			token := Token{Text: t.Token, Logprob: t.Logprob}
			for _, top := range t.Top {
				token.Top = append(token.Top, Likely{top.Token, top.Logprob})
			}
			tokens = append(tokens, token)
		}
	}
	return tokens
}
