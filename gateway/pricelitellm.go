package gateway

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// litellmRate returns newel's name of a rate that LiteLLM's table names; empty:
// it is not one of a token.
func litellmRate(name string) string {
	switch name {
	case "input_cost_per_token":
		return "input"
	case "output_cost_per_token":
		return "output"
	case "cache_read_input_token_cost":
		return "cache_read"
	case "cache_creation_input_token_cost":
		return "cache_write_5m"
	case "cache_creation_input_token_cost_above_1hr":
		return "cache_write_1h"
	case "input_cost_per_audio_token":
		return "audio_in"
	case "input_cost_per_image_token":
		return "image_in"
	case "input_cost_per_video_token":
		return "video_in"
	case "output_cost_per_reasoning_token":
		return "reasoning"
	case "output_cost_per_audio_token":
		return "audio_out"
	}
	return ""
}

// readLiteLLMPrice reads an entry of LiteLLM's form; nil: it has no price for
// tokens of input and output, or says 0 for both, which there stands for free as
// well as for unknown.
func readLiteLLMPrice(f map[string]any) (*price, error) {
	e := &price{provider: providerOf(textOf(f["litellm_provider"])), maxOutput: count(intOf(f["max_output_tokens"]))}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		rate, above, service := litellmName(name)
		if rate == "" {
			continue
		}
		m, err := perToken(f[name])
		if err != nil {
			return nil, err
		}
		if m != nil {
			*e.ratesOf(service, above).field(rate) = m
		}
	}
	if err := e.litellmRanges(f["tiered_pricing"]); err != nil {
		return nil, err
	}
	if e.in == nil || e.out == nil || (*e.in == 0 && *e.out == 0) {
		return nil, nil
	}
	sortTiers(e.tiers)
	for _, s := range e.services {
		sortTiers(s.tiers)
	}
	return e, nil
}

// litellmName takes a name such as input_cost_per_token_above_200k_tokens_priority
// apart; rate is empty where it names none.
func litellmName(name string) (rate string, above int64, service string) {
	for suffix, s := range map[string]string{"_batches": "batch", "_flex": "flex", "_priority": "priority"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			name, service = base, s
		}
	}
	if base, ok := strings.CutSuffix(name, "k_tokens"); ok {
		i := strings.LastIndex(base, "_above_")
		if i < 0 {
			return "", 0, ""
		}
		n, err := strconv.ParseInt(base[i+len("_above_"):], 10, 32)
		if err != nil {
			return "", 0, ""
		}
		name, above = base[:i], n*1000
	}
	return litellmRate(name), above, service
}

// ratesOf returns the set that a rate goes into, made when it is first asked
// for.
func (p *price) ratesOf(service string, above int64) *rates {
	v := &p.variant
	if service != "" {
		if v = p.services[service]; v == nil {
			v = &variant{}
			set(&p.services, service, v)
		}
	}
	if above == 0 {
		return &v.rates
	}
	for i := range v.tiers {
		if v.tiers[i].above == above {
			return &v.tiers[i].rates
		}
	}
	v.tiers = append(v.tiers, tier{above: above})
	return &v.tiers[len(v.tiers)-1].rates
}

// litellmRanges reads tiered_pricing, where each set of rates has a range of
// input tokens that it is for.
func (p *price) litellmRanges(v any) error {
	list, _ := v.([]any)
	for _, v := range list {
		f, _ := v.(map[string]any)
		span, _ := f["range"].([]any)
		if len(span) == 0 || intOf(span[0]) == nil {
			continue
		}
		for name, v := range f {
			rate := litellmRate(name)
			m, err := perToken(v)
			if err != nil {
				return err
			}
			if rate != "" && m != nil {
				*p.ratesOf("", *intOf(span[0])).field(rate) = m
			}
		}
	}
	return nil
}
