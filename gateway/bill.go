package gateway

import (
	"math/big"

	"newel"
)

// cost computes what a usage comes to: exactly, as an upper bound where a
// discount is not known, or not at all. The tier is chosen by the whole input,
// the service tier is that of the answer.
func (p *price) cost(u *newel.Usage, service string, batch bool, region string) (newel.Money, string) {
	if !u.Consistent || u.Input == nil || u.Output == nil {
		return 0, newel.CostUnknown
	}
	if batch {
		service = "batch"
	}
	r, ok := p.at(*u.Input, service)
	if !ok {
		return 0, newel.CostUnknown
	}
	b := bill{status: newel.CostTable}
	audio, image, video := count(u.AudioIn), count(u.ImageIn), count(u.VideoIn)
	b.add(count(u.Uncached)-audio-image-video, r.in)
	b.discounted(count(u.CacheRead), r.read, r.in)
	b.add(count(u.CacheWrite5m), r.write5m)
	b.add(count(u.CacheWrite1h), r.write1h)
	b.add(audio, r.audioIn)
	b.add(image, first(r.imageIn, r.in))
	b.add(video, first(r.videoIn, r.in))
	b.add(*u.Output-count(u.Reasoning)-count(u.AudioOut), r.out)
	b.add(count(u.Reasoning), first(r.reasoning, r.out))
	b.add(count(u.AudioOut), r.audioOut)
	if percent, ok := p.regions[region]; ok {
		b.percent(percent)
	}
	return b.total()
}

func first(a, b *newel.Money) *newel.Money {
	if a != nil {
		return a
	}
	return b
}

// bill adds amounts up without rounding.
type bill struct {
	sum    big.Int
	status string
}

func (b *bill) add(tokens int64, rate *newel.Money) {
	switch {
	case tokens == 0:
	case tokens < 0 || rate == nil:
		b.status = newel.CostUnknown
	default:
		var n big.Int
		b.sum.Add(&b.sum, n.Mul(big.NewInt(tokens), big.NewInt(int64(*rate))))
	}
}

// discounted adds tokens that are cheaper than others by a rate that may not be
// known.
func (b *bill) discounted(tokens int64, rate, full *newel.Money) {
	if rate == nil && tokens > 0 && full != nil && *full > 0 && b.status == newel.CostTable {
		b.status = newel.CostUpperBound
	}
	b.add(tokens, first(rate, full))
}

// percent takes a share of the sum, a rest below 10⁻¹² USD rounded up.
func (b *bill) percent(n int64) {
	b.sum.Mul(&b.sum, big.NewInt(n))
	b.sum.Add(&b.sum, big.NewInt(99))
	b.sum.Div(&b.sum, big.NewInt(100))
}

func (b *bill) total() (newel.Money, string) {
	if b.status == newel.CostUnknown || !b.sum.IsInt64() {
		return 0, newel.CostUnknown
	}
	return newel.Money(b.sum.Int64()), b.status
}
