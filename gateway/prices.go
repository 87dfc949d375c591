package gateway

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"newel"
)

// Prices is a table of what models cost. It is not changed once read.
type Prices struct {
	version string
	models  map[string]*price
}

//go:embed prices.json
var builtInPrices []byte

// BuiltInPrices returns the table that newel brings along.
func BuiltInPrices() (*Prices, error) { return ReadPrices(builtInPrices) }

// Version names the table as rows show it.
func (p *Prices) Version() string { return p.version }

// Len returns how many models it prices.
func (p *Prices) Len() int { return len(p.models) }

// price is what one model costs.
type price struct {
	provider string
	variant
	// services are the rates under another service tier: batch, flex, priority.
	services map[string]*variant
	// regions are factors on everything, in percent, by where the model ran.
	regions   map[string]int64
	maxOutput int64
	// free says that a price of zero is meant, and not a gap in the table.
	free bool
}

// variant is a set of rates with its tiers.
type variant struct {
	rates
	tiers []tier
}

// tier is the rates of requests whose whole input is above a number of tokens.
type tier struct {
	above int64
	rates
}

// rates are amounts for one token, in 10⁻¹² USD; nil: unknown.
type rates struct {
	in, out, read, write5m, write1h *newel.Money
	audioIn, imageIn, videoIn       *newel.Money
	reasoning, audioOut             *newel.Money
}

// field returns the place of a rate by the name that newel's own table has for
// it; nil: there is none.
func (r *rates) field(name string) **newel.Money {
	switch name {
	case "input":
		return &r.in
	case "output":
		return &r.out
	case "cache_read":
		return &r.read
	case "cache_write_5m":
		return &r.write5m
	case "cache_write_1h":
		return &r.write1h
	case "audio_in":
		return &r.audioIn
	case "image_in":
		return &r.imageIn
	case "video_in":
		return &r.videoIn
	case "reasoning":
		return &r.reasoning
	case "audio_out":
		return &r.audioOut
	}
	return nil
}

// rateNames lists what field takes.
var rateNames = [...]string{"input", "output", "cache_read", "cache_write_5m", "cache_write_1h",
	"audio_in", "image_in", "video_in", "reasoning", "audio_out"}

// over returns r with what it lacks taken from below.
func (r rates) over(below rates) rates {
	for _, name := range rateNames {
		if f := r.field(name); *f == nil {
			*f = *below.field(name)
		}
	}
	return r
}

// at returns the rates of a request by its whole input and service tier; false
// where the table does not know that tier.
func (p *price) at(input int64, service string) (rates, bool) {
	v := &p.variant
	switch service {
	case "", "default", "standard", "auto", "on_demand":
	default:
		if v = p.services[service]; v == nil {
			return rates{}, false
		}
		if len(v.tiers) == 0 && len(p.tiers) > 0 && input > p.tiers[0].above {
			return rates{}, false // told for short requests only
		}
	}
	chosen := v.rates
	for _, t := range v.tiers {
		if input > t.above {
			chosen = t.rates.over(v.rates)
		}
	}
	return chosen, chosen.in != nil && chosen.out != nil
}

// find looks a model up by the name that a gateway has for it: as it is, without
// a provider in front that is the entry's own, without a date or "latest" behind.
// A dated name with its own entry is found first. Nil: unknown.
func (p *Prices) find(model string) *price {
	for range 2 {
		if e := p.named(model); e != nil {
			return e
		}
		model = undated(model)
	}
	return nil
}

func (p *Prices) named(model string) *price {
	if e := p.models[model]; e != nil {
		return e
	}
	model = strings.ToLower(model)
	for range 3 {
		for _, name := range []string{model, strings.ReplaceAll(model, ".", "-")} {
			if e := p.models[name]; e != nil {
				return e
			}
		}
		front, rest, ok := strings.Cut(model, "/")
		if !ok {
			return nil
		}
		model = rest
		if e := p.bare(rest); e != nil && e.provider != "" && e.provider == providerOf(front) {
			return e
		}
		if front != "openrouter" && front != "models" {
			return nil
		}
	}
	return nil
}

// bare looks up a name without a provider in front.
func (p *Prices) bare(name string) *price {
	if e := p.models[name]; e != nil {
		return e
	}
	return p.models[strings.ReplaceAll(name, ".", "-")]
}

// providerOf returns the maker whose own prices a provider's name stands for.
// Resellers with prices of their own are not among them.
func providerOf(name string) string {
	switch name {
	case "gemini", "google", "vertex_ai", "google-ai-studio", "google-vertex":
		return "google"
	case "mistralai":
		return "mistral"
	case "x-ai":
		return "xai"
	}
	return name
}

// undated cuts what versions a name: -2024-07-18, -20250929, @20250929, -latest.
func undated(model string) string {
	if base, ok := strings.CutSuffix(model, "-latest"); ok {
		return base
	}
	for _, n := range []int{len("-2006-01-02"), len("-20060102")} {
		if cut := len(model) - n; cut > 0 && strings.ContainsRune("-@", rune(model[cut])) && isDate(model[cut+1:]) {
			return model[:cut]
		}
	}
	return model
}

func isDate(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	return len(digits) == 8 && strings.Trim(digits, "0123456789") == "" && strings.HasPrefix(digits, "20")
}

// mostPerToken is the input price beyond which a table is refused: nobody is so
// dear, and a price for a million tokens taken for that of one is.
const mostPerToken = newel.Dollar / 100

// check returns what is wrong with an entry.
func (p *price) check(model string) error {
	sets := []rates{p.rates}
	for _, t := range p.tiers {
		sets = append(sets, t.rates)
	}
	for _, v := range p.services {
		sets = append(sets, v.rates)
		for _, t := range v.tiers {
			sets = append(sets, t.rates)
		}
	}
	for _, r := range sets {
		if r.in != nil && *r.in > mostPerToken {
			return fmt.Errorf("model %q: %s USD for one token of input is more than %s: is that the price of a million?", model, *r.in, mostPerToken)
		}
	}
	return nil
}

func sortTiers(tiers []tier) {
	slices.SortFunc(tiers, func(a, b tier) int { return int(a.above - b.above) })
}
