package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"newel"
)

// ReadPrices reads a table of prices, of newel's own form or of LiteLLM's
// (model_prices_and_context_window.json). Amounts are read from their text,
// never by way of floating point. A table in which a token of input costs more
// than 0.01 USD is refused.
//
// The own form is {"newel_prices": 1, "version": …, "models": {NAME: {"provider",
// "input", "output", "cache_read", …}}} with texts in USD for a million tokens;
// there, "0" means free. In LiteLLM's form 0 also stands for a price that is not
// known, so it is not taken for one.
func ReadPrices(data []byte) (*Prices, error) {
	table := decodeObject(data)
	if table == nil {
		return nil, errors.New("read prices: not a JSON object")
	}
	p := &Prices{models: map[string]*price{}}
	read, models := readLiteLLMPrice, table
	if table["newel_prices"] != nil {
		if v := textOf(table["newel_prices"]); v != "1" {
			return nil, fmt.Errorf("read prices: form %s is not known (this newel reads 1)", v)
		}
		p.version = textOf(table["version"])
		read = readOwnPrice
		models, _ = table["models"].(map[string]any)
	}
	if err := p.readAll(models, read); err != nil {
		return nil, err
	}
	if len(p.models) == 0 {
		return nil, errors.New("read prices: no model in it has a price")
	}
	if p.version == "" {
		p.version = "sha256:" + newel.HashOf(data).String()[:16]
	}
	return p, nil
}

// maxMistakes is how many are told.
const maxMistakes = 10

func (p *Prices) readAll(models map[string]any, read func(map[string]any) (*price, error)) error {
	var mistakes []error
	for _, name := range slices.Sorted(maps.Keys(models)) {
		fields, ok := models[name].(map[string]any)
		if !ok || name == "sample_spec" {
			continue
		}
		e, err := read(fields)
		if err == nil && e != nil {
			err = e.check(name)
		}
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("read prices: model %q: %w", name, err))
		} else if e != nil {
			p.models[name] = e
		}
	}
	if n := len(mistakes); n > maxMistakes {
		mistakes = append(mistakes[:maxMistakes], fmt.Errorf("read prices: and %d more", n-maxMistakes))
	}
	return errors.Join(mistakes...)
}

// readOwnPrice reads an entry of newel's own form.
func readOwnPrice(f map[string]any) (*price, error) {
	e := &price{provider: textOf(f["provider"]), maxOutput: count(intOf(f["max_output"]))}
	var err error
	if e.rates, err = ownRates(f); err != nil {
		return nil, err
	}
	if e.in == nil || e.out == nil {
		return nil, errors.New("it needs input and output")
	}
	if e.tiers, err = ownTiers(f["tiers"]); err != nil {
		return nil, err
	}
	services, _ := f["services"].(map[string]any)
	for name, v := range services {
		if err := e.service(name, v); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	regions, _ := f["regions_percent"].(map[string]any)
	for name, v := range regions {
		n := intOf(v)
		if n == nil || *n < 1 || *n > 1000 {
			return nil, fmt.Errorf("region %s: a percentage from 1 to 1000", name)
		}
		set(&e.regions, name, *n)
	}
	e.free = *e.in == 0 && *e.out == 0
	return e, nil
}

func set[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}

// service reads the rates of a service tier, or "half" of the plain ones.
func (p *price) service(name string, v any) error {
	s := &variant{}
	var err error
	switch v := v.(type) {
	case string:
		if v != "half" {
			return fmt.Errorf("%q is not half, nor a set of rates", v)
		}
		s, err = p.half()
	case map[string]any:
		if s.rates, err = ownRates(v); err == nil {
			s.tiers, err = ownTiers(v["tiers"])
		}
	default:
		return errors.New("neither half nor a set of rates")
	}
	set(&p.services, name, s)
	return err
}

// half returns all rates halved; one that has no whole half is an error.
func (p *price) half() (*variant, error) {
	r, err := halved(p.rates)
	v := &variant{rates: r}
	for _, t := range p.tiers {
		h, e := halved(t.rates)
		v.tiers, err = append(v.tiers, tier{t.above, h}), errors.Join(err, e)
	}
	return v, err
}

func halved(r rates) (rates, error) {
	for _, name := range rateNames {
		if f := r.field(name); *f != nil {
			if **f%2 != 0 {
				return r, fmt.Errorf("%s has no whole half in 10⁻¹² USD", name)
			}
			h := **f / 2
			*f = &h
		}
	}
	return r, nil
}

func ownRates(f map[string]any) (rates, error) {
	var r rates
	for _, name := range rateNames {
		v, there := f[name]
		if !there {
			continue
		}
		text, ok := v.(string)
		if !ok {
			return r, fmt.Errorf("%s: a text in USD for a million tokens, such as \"0.15\"", name)
		}
		m, err := newel.ParseMoney(text)
		if err == nil && (m < 0 || m%1_000_000 != 0) {
			err = fmt.Errorf("%q is below zero or finer than 10⁻¹² USD a token", text)
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		m /= 1_000_000
		*r.field(name) = &m
	}
	return r, nil
}

func ownTiers(v any) ([]tier, error) {
	list, _ := v.([]any)
	var tiers []tier
	for _, v := range list {
		f, _ := v.(map[string]any)
		above := intOf(f["above"])
		if above == nil || *above < 0 {
			return nil, errors.New("a tier needs above, a number of tokens")
		}
		r, err := ownRates(f)
		if err != nil {
			return nil, err
		}
		tiers = append(tiers, tier{*above, r})
	}
	sortTiers(tiers)
	return tiers, nil
}

// perToken reads a rate of LiteLLM's table. One that is finer than 10⁻¹² USD is
// rounded half-even, as floats written out are; one that would become 0 so is an
// error. What is no number is not a rate.
func perToken(v any) (*newel.Money, error) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, nil
	}
	m := amount(n.String())
	if m == nil {
		return nil, fmt.Errorf("%s is no price of a token", n)
	}
	if *m == 0 && strings.Trim(mantissa(n.String()), "0.") != "" {
		return nil, fmt.Errorf("%s is below 10⁻¹² USD", n)
	}
	return m, nil
}

func mantissa(text string) string {
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		return text[:e]
	}
	return text
}
