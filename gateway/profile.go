package gateway

import (
	"cmp"

	"newel"
)

// profile describes a gateway that is read by a table: each field is one
// header and what it means.
type profile struct {
	name   string
	prefix string // of its headers in canonical form; by it auto knows the gateway
	fields []field
	traits traits
}

// field is one header. Unit is usd, cents or microusd for cost, ms or s for
// times; absent is what a missing header stands for, empty: nothing is known.
type field struct {
	header, fact, unit, absent string
}

// nrouterDialect reads nRouter, which leaves the cost out for a model without a
// price, and times up to the answer's headers.
func nrouterDialect() *dialect {
	return profile{
		name: "nrouter", prefix: "X-Nr-",
		fields: []field{
			{header: "X-Nr-Request-Cost", fact: "cost", unit: "usd"},
			{header: "X-Nr-Attempts", fact: "attempts"},
			{header: "X-Nr-Routing", fact: "deployment"},
			{header: "X-Nr-Latency-Ms", fact: "to_headers", unit: "ms"},
		},
	}.dialect()
}

// ngrokDialect reads ngrok's AI gateway, which passes the provider's body on: the
// model that answered is in a header.
func ngrokDialect() *dialect {
	return profile{
		name: "ngrok", prefix: "Ngrok-Aig-",
		fields: []field{
			{header: "Ngrok-Aig-Request-Id", fact: "request_id"},
			{header: "Ngrok-Aig-Attempts", fact: "attempts"},
			{header: "Ngrok-Aig-Model", fact: "model"},
		},
	}.dialect()
}

// dialect makes a dialect of the table.
func (p profile) dialect() *dialect {
	return &dialect{
		name:    p.name,
		knows:   func(r *response) bool { return heads(r.header, p.prefix) },
		ask:     askPlain,
		read:    p.read,
		refused: refusedGuard,
		traits:  p.traits,
	}
}

func (p profile) read(r *response, c *newel.Call) {
	unsaid(c)
	for _, f := range p.fields {
		if text := cmp.Or(r.head(f.header), f.absent); text != "" {
			f.read(text, c)
		}
	}
}

// read puts one header's text in its place.
func (f field) read(text string, c *newel.Call) {
	switch f.fact {
	case "cost":
		charged(c, f.money(text), "gateway_header")
	case "model":
		used(c, text, "header")
	case "provider":
		c.Provider = text
	case "deployment":
		c.Deployment = text
	case "request_id":
		c.RequestID = text
	case "trace_id":
		c.TraceID = text
	case "generation":
		c.Generation = text
	case "attempts":
		readAttempts(text, c)
	case "fallback":
		step(c, wholeNumber(text))
	case "cache":
		c.Cache = cacheWord(text)
	case "total_incl_retries", "last_attempt", "to_headers":
		if ms := f.millis(text); ms != nil {
			c.GatewayMS, c.GatewayScope = ms, f.fact
		}
	case "cumulative", "last":
		if ms := f.millis(text); ms != nil {
			c.UpstreamMS, c.UpstreamScope = ms, f.fact
		}
	}
}

// readAttempts: with one attempt there was no fallback; with more there may
// have been one, or another try of the same.
func readAttempts(text string, c *newel.Call) {
	tries := wholeNumber(text)
	if tries == nil || *tries < 1 {
		return
	}
	n := int(*tries)
	c.UpstreamAttempts, c.AttemptsExact = &n, true
	if n == 1 {
		c.Fallback = "no"
	}
}

func (f field) money(text string) *newel.Money {
	m := amount(text)
	if m == nil {
		return nil
	}
	switch f.unit {
	case "cents":
		*m /= 100
	case "microusd":
		*m /= 1_000_000
	}
	return m
}

func (f field) millis(text string) *float64 {
	ms := finite(text)
	if ms != nil && f.unit == "s" {
		*ms *= 1000
	}
	return ms
}
