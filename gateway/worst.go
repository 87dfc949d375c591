package gateway

import (
	"math"
	"math/big"

	"newel"
)

const (
	// charsPerToken is the fewest bytes of text that make a token, as far as an
	// estimate goes: English has four, scripts of three bytes a character two to
	// three.
	charsPerToken = 2
	// perMessage is for what a wire adds: roles, the schema, the tools.
	overhead = 512
	// perFile is for a picture or document; the dearest tiling of a large picture
	// comes to 48,000.
	perFile = 50_000
	// unsaidMax is the longest answer where neither the request nor the table
	// bounds it.
	unsaidMax = 128_000
)

// Worst returns the most that sending a body once is taken to cost by the table,
// in the dearest way of reading its input and with the longest answer: an
// estimate on the safe side, not a bound that a tokenizer would swear to. False:
// the table has no price for the model.
func (c *Client) Worst(b Body) (newel.Money, bool) {
	p := c.prices.find(b.Model)
	if p == nil {
		return 0, false
	}
	in := b.Tokens()
	out := int64(b.Max)
	if out <= 0 {
		out = p.maxOutput
	}
	if out <= 0 {
		out = unsaidMax
	}
	r, ok := p.at(in, "")
	if !ok {
		return 0, false
	}
	var dearest newel.Money
	for _, m := range []*newel.Money{r.in, r.write5m} {
		if m != nil {
			dearest = max(dearest, *m)
		}
	}
	made := *r.out
	if r.reasoning != nil {
		made = max(made, *r.reasoning)
	}
	sum := new(big.Int).Mul(big.NewInt(in), big.NewInt(int64(dearest)))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(out), big.NewInt(int64(made))))
	if !sum.IsInt64() {
		return math.MaxInt64, true
	}
	return newel.Money(sum.Int64()), true
}

// Tokens estimates the input of a body, on the high side.
func (b Body) Tokens() int64 {
	return int64(b.Chars+charsPerToken-1)/charsPerToken + overhead + int64(len(b.media))*perFile
}
