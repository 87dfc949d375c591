package judge

import (
	"math"
	"strconv"
	"strings"

	"newel/gateway"
)

// scoreLike reports whether a token may be a score of one digit.
func scoreLike(token string) bool {
	t := strings.TrimSpace(token)
	return len(t) == 1 && t[0] >= '0' && t[0] <= '9'
}

// weigh replaces a score by its expectation over the likeliest tokens in its
// place: the sum of score × probability over those that trim to a score of the
// scale, divided by their probability, which is kept as mass (G-Eval, Liu et al.
// 2023, section 2). Where that cannot be had, the score stays as it was said, and
// a.plain says why.
func (f *Form) weigh(a *answer, r reply) {
	t, why := tokenAt(r, a.at)
	if why != "" {
		a.plain = why
		return
	}
	if said, err := strconv.ParseFloat(strings.TrimSpace(t.Text), 64); err != nil || said != a.score {
		a.plain = "the score is not one token"
		return
	}
	sum, mass := 0.0, 0.0
	for _, alternative := range t.Top {
		if !scoreLike(alternative.Text) {
			continue
		}
		score := float64(strings.TrimSpace(alternative.Text)[0] - '0')
		if score < f.Scale.Min || score > f.Scale.Max {
			continue
		}
		p := exp(alternative.Logprob)
		sum = sum + float64(score*p)
		mass = mass + p
	}
	if mass <= 0 || math.IsNaN(mass) || mass > 1.001 {
		a.plain = "no likelihoods of scores came with the answer"
		return
	}
	a.score, a.mass = sum/mass, math.Min(mass, 1)
}

// tokenAt returns the token that begins at an offset of the text, white space
// ahead of it aside.
func tokenAt(r reply, offset int) (gateway.Token, string) {
	if len(r.Tokens) == 0 {
		return gateway.Token{}, "the answer came without likelihoods"
	}
	at := 0
	for _, t := range r.Tokens {
		end := at + len(t.Text)
		if end > len(r.Text) || r.Text[at:end] != t.Text {
			return t, "the tokens that came are not the answer's text"
		}
		if offset < end {
			if lead := len(t.Text) - len(strings.TrimLeft(t.Text, " \t\n")); at+lead != offset {
				return t, "the score is not one token"
			}
			return t, ""
		}
		at = end
	}
	return gateway.Token{}, "the tokens that came end before the score"
}

// exp is eˣ for x ≤ 0, to within a few units of the last place, with the same
// bits on every processor (math.Exp is written for each of them): x = k·ln 2 + r
// with |r| ≤ ln 2 / 2, eʳ by its series.
func exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x >= 0:
		return 1 // a probability has no larger logarithm
	case x < -700:
		return 0
	}
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
	)
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*ln2Hi)
	r = r - float64(k*ln2Lo)
	sum := 1.0
	for n := 18.0; n >= 1; n-- { // Horner: 1 + r/1·(1 + r/2·(1 + …))
		sum = 1 + float64(float64(r/n)*sum)
	}
	return math.Ldexp(sum, int(k))
}
