package gateway

import (
	"math"
	"math/big"

	"newel"
)

const (
	// usualChars is how many characters of English make a token.
	usualChars = 4
	// usualAnswer is how many tokens an answer of a few sentences has, with a
	// little thought before it.
	usualAnswer = 200
	// leastChars is more characters than a token of any text that people write has
	// in the mean.
	leastChars = 16
	// usualFile is for a picture of usual size or a page.
	usualFile = 1_000
)

// Likely returns what sending a body once comes to by the table if it is an
// ordinary one: English text at 4 characters a token, 1,000 tokens a file and an
// answer of 200 tokens, none of them from a cache. It is a first guess for want of
// calls that were made; Worst is what to reserve. False: the table has no price
// for the model.
func (c *Client) Likely(b Body) (newel.Money, bool) {
	p := c.prices.find(b.Model)
	if p == nil {
		return 0, false
	}
	in := int64(b.Chars+usualChars-1)/usualChars + int64(len(b.media))*usualFile
	out := int64(usualAnswer)
	if b.Max > 0 {
		out = min(out, int64(b.Max))
	}
	r, ok := p.at(in, "")
	if !ok {
		return 0, false
	}
	sum := new(big.Int).Mul(big.NewInt(in), big.NewInt(int64(*r.in)))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(out), big.NewInt(int64(*r.out))))
	if !sum.IsInt64() {
		return math.MaxInt64, true
	}
	return newel.Money(sum.Int64()), true
}

// Least returns what sending a body once costs in any case by the table: a token
// for 16 characters, all of them read from the provider's cache, and an answer of
// one. False: the table has no price for the model.
func (c *Client) Least(b Body) (newel.Money, bool) {
	p := c.prices.find(b.Model)
	if p == nil {
		return 0, false
	}
	in := int64(b.Chars / leastChars)
	r, ok := p.at(in, "")
	if !ok {
		return 0, false
	}
	rate := *r.in
	if r.read != nil {
		rate = min(rate, *r.read)
	}
	if rate > 0 && in > math.MaxInt64/2/int64(rate) {
		return math.MaxInt64, true
	}
	return newel.Money(in)*rate + min(*r.out, math.MaxInt64/2), true
}
