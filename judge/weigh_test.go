package judge

import (
	"context"
	"math"
	"strings"
	"testing"

	"newel"
	"newel/gateway"
)

func fiveStars(t testing.TB) Definition {
	t.Helper()
	return Definition{Prompt: builtin(t, "scored"), Form: Form{Kind: Score, Scale: Scale{1, 5, 4}}, Criteria: Texts{Const: []string{"Is kind."}}, Logprobs: true}
}

// tokens splits a reply so that the score stands in a token with its
// alternatives.
func tokens(text string, score string, top ...gateway.Likely) []gateway.Token {
	at := strings.Index(text, `"score":`) + len(`"score":`)
	lead := len(text[at:]) - len(strings.TrimLeft(text[at:], " "))
	end := at + lead + len(score)
	return []gateway.Token{{Text: text[:at], Logprob: -0.1}, {Text: text[at:end], Logprob: -0.2, Top: top}, {Text: text[end:]}}
}

func TestVectorsOfScoresWeighedByLikelihood(t *testing.T) {
	t.Parallel()
	ln := math.Log
	for name, c := range map[string]struct {
		text   string
		tokens func(text string) []gateway.Token
		value  string
		says   string
	}{
		"two scores share the mass": {`"score":4`, func(s string) []gateway.Token {
			return tokens(s, "4", gateway.Likely{Text: "4", Logprob: ln(0.6)}, gateway.Likely{Text: "5", Logprob: ln(0.2)}, gateway.Likely{Text: "x", Logprob: ln(0.2)})
		}, "4.25", "hold 0.8 of the probability"},
		"a space belongs to the token": {`"score": 4`, func(s string) []gateway.Token {
			return tokens(s, "4", gateway.Likely{Text: " 4", Logprob: ln(0.25)}, gateway.Likely{Text: "4", Logprob: ln(0.25)}, gateway.Likely{Text: " 2", Logprob: ln(0.5)})
		}, "3", "hold 1 of the probability"},
		"scores beyond the scale are none": {`"score":4`, func(s string) []gateway.Token {
			return tokens(s, "4", gateway.Likely{Text: "4", Logprob: ln(0.5)}, gateway.Likely{Text: "9", Logprob: ln(0.3)}, gateway.Likely{Text: "0", Logprob: -9999})
		}, "4", "hold 0.5 of the probability"},
		"a forced token is not believed": {`"score":4`, func(s string) []gateway.Token {
			return tokens(s, "4", gateway.Likely{Text: "1", Logprob: ln(0.9)}, gateway.Likely{Text: "4", Logprob: -7.5})
		}, "1.001842482", "of the probability"},
		"no tokens came":      {`"score":4`, func(string) []gateway.Token { return nil }, "4", "as said: the answer came without likelihoods"},
		"none of them scores": {`"score":4`, func(s string) []gateway.Token { return tokens(s, "4", gateway.Likely{Text: "x", Logprob: -0.1}) }, "4", "as said: no likelihoods"},
		"other tokens came":   {`"score":4`, func(string) []gateway.Token { return []gateway.Token{{Text: "hello"}} }, "4", "as said: the tokens that came are not"},
		"the score is in two": {`"score":4.5`, func(s string) []gateway.Token { return tokens(s, "4", gateway.Likely{Text: "4", Logprob: -0.1}) }, "4.5", "as said: the score is not one token"},
		"tokens that end":     {`"score":4`, func(s string) []gateway.Token { return []gateway.Token{{Text: s[:5]}} }, "4", "as said: the tokens that came end before"},
	} {
		d := newDesk(t, func(a asked) gateway.Reply {
			text := `{"analysis":"It says \"score\".",` + c.text + `,"check":"` + a.mark + `"}`
			text = strings.Replace(text, `\"score\"`, "stars", 1)
			return gateway.Reply{Text: text, Finish: "stop", Tokens: c.tokens(text)}
		})
		got := judgeOf(t, fiveStars(t), d).Score(context.Background(), answered("q", "x"))
		if got.Err != nil || got.Value.String() != c.value || !strings.Contains(got.Evidence[0].Got, c.says) {
			t.Errorf("%s: %s %v %v", name, got.Value, got.Err, got.Evidence)
		}
		for _, r := range d.requests {
			if r.Logprobs != 20 {
				t.Errorf("%s: %d alternatives were asked for", name, r.Logprobs)
			}
		}
	}
}

func TestWhatIsKeptOfAReplyReadsTheSame(t *testing.T) {
	t.Parallel()
	r := gateway.Reply{Text: "a\xff4", Refused: true, Finish: "stop", Tokens: []gateway.Token{
		{Text: "a\xff", Logprob: -1, Top: []gateway.Likely{{Text: "b", Logprob: -2}}}, {Text: "4", Logprob: -0.5, Top: []gateway.Likely{{Text: "5", Logprob: -1}}}}}
	raw, err := EncodeReply(r)
	want := `{"finish":"stop","refused":true,"text":"a�4","tokens":[{"logprob":0,"text":"a�"},{"logprob":-0.5,"text":"4","top":[{"logprob":-1,"text":"5"}]}]}`
	if err != nil || string(raw) != want {
		t.Fatalf("%s %v", raw, err)
	}
	back, err := decodeReply(raw)
	if err != nil || back.Text != "a�4" || !back.Refused || len(back.Tokens) != 2 {
		t.Errorf("%+v %v", back, err)
	}
	if plain, err := EncodeReply(gateway.Reply{Text: "x"}); err != nil || string(plain) != `{"text":"x"}` {
		t.Errorf("%s %v", plain, err)
	}
}

func TestVectorsOfOurExponential(t *testing.T) {
	t.Parallel()
	for x := -40.0; x <= 0; x += 0.0137 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 4e-16*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, 3: 1, -9999: 0, math.Inf(-1): 0} {
		if got := exp(x); got != want {
			t.Errorf("exp(%v) = %v", x, got)
		}
	}
	if bits := math.Float64bits(exp(-7.5)); bits != 0x3f421f9ba40f31d5 {
		t.Errorf("exp(-7.5) has the bits %x", bits)
	}
}

func TestAFaultOfTheCallIsTheRows(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(asked) gateway.Reply {
		return gateway.Reply{Fault: &gateway.Fault{Kind: newel.KindTimeout, Message: "no answer in 30s"}}
	})
	got := judgeOf(t, criterion(t, "a"), d).Score(context.Background(), answered("q", "x"))
	if got.Verdict != newel.Failed || got.Err.Error() != "timeout: no answer in 30s" || got.HasValue {
		t.Errorf("%+v", got)
	}
}
