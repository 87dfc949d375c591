package gateway

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"newel"
)

// heliconeDialect reads Helicone, which tells no money with an answer: its log
// does, by the answer's id.
func heliconeDialect() *dialect {
	return &dialect{
		name:    "helicone",
		knows:   func(r *response) bool { return heads(r.header, "Helicone-") },
		ask:     askHelicone,
		read:    readHelicone,
		refused: refusedGuard,
		lookup:  &lookup{ask: askHeliconeLog, read: lateHelicone, auth: "Helicone-Auth"},
		traits:  traits{hidesRetries: true},
	}
}

// askHelicone names no Helicone-Request-Id: another attempt would overwrite the
// log of the one before it. The key goes along as a property.
func askHelicone(h http.Header, t Tags) {
	h.Set("Helicone-Cache-Enabled", "false")
	h.Set("Helicone-Property-Call", t.Key.String())
	for _, p := range t.pairs() {
		h.Set("Helicone-Property-"+strings.ToUpper(p.name[:1])+p.name[1:], headerText(p.value))
	}
}

func readHelicone(r *response, c *newel.Call) {
	c.RequestID = r.head("Helicone-Id")
	c.Generation = c.RequestID
	c.UpstreamID = cmp.Or(r.head("Helicone-Provider-Req-Id"), c.UpstreamID)
	c.Provider = r.head("Helicone-Provider")
	sparse(r, c)
	if heliconeOnce(r.sent) {
		oneAttempt(c)
	}
	if index := r.headInt("Helicone-Fallback-Index"); index != nil {
		step(c, index)
		if c.Fallback == "yes" {
			c.UpstreamAttempts, c.AttemptsExact = nil, false
		}
	}
	if word := r.head("Helicone-Cache"); word != "" {
		c.Cache = cacheWord(word)
	}
	if was := r.headFloat("Helicone-Cache-Latency"); was != nil && c.Cache == "hit" {
		c.GatewayMS, c.GatewayScope = was, "cached_original"
	}
}

// heliconeOnce reports whether a request is passed on once: it tries again or
// elsewhere only where headers want it, or behind the host that chooses providers.
func heliconeOnce(sent *http.Request) bool {
	if sent == nil || strings.HasPrefix(sent.URL.Hostname(), "ai-gateway.") {
		return false
	}
	return sent.Header.Get("Helicone-Retry-Enabled") == "" && sent.Header.Get("Helicone-Fallbacks") == ""
}

// askHeliconeLog asks the API beside the gateway: on Helicone's own hosts it has
// a name of its own, for each region.
func askHeliconeLog(to *url.URL, key string, c *newel.Call) (*http.Request, error) {
	if c.Generation == "" {
		return nil, nil
	}
	u := url.URL{Scheme: to.Scheme, Host: to.Host}
	if host := to.Hostname(); host == "helicone.ai" || strings.HasSuffix(host, ".helicone.ai") {
		u.Host = "api.helicone.ai"
		if strings.Contains("."+host, ".eu.") {
			u.Host = "eu.api.helicone.ai"
		}
	}
	return asker(u.JoinPath("v1", "request", url.PathEscape(c.Generation)), key)
}

// lateHelicone reads what its log says of one request.
func lateHelicone(r *response, c *newel.Call) bool {
	data := r.at("data")
	if data == nil {
		return false
	}
	used(c, cmp.Or(textOf(dig(data, "response_model")), textOf(dig(data, "model"))), "lookup")
	c.Provider = cmp.Or(c.Provider, textOf(dig(data, "provider")))
	charged(c, moneyOf(data, "costUSD"), "gateway_lookup")
	if ms := millisOf(data, "delay_ms"); ms != nil && c.GatewayMS == nil {
		c.GatewayMS, c.GatewayScope = ms, "unknown"
	}
	if ms := millisOf(data, "time_to_first_token"); ms != nil {
		c.FirstTokenMS = ms
	}
	return true
}
