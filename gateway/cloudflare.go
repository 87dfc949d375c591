package gateway

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"newel"
)

// cloudflareDialect reads Cloudflare AI Gateway, which tells ids, cache and the
// step that answered; cost and the model used are in its log, by the log's id.
func cloudflareDialect() *dialect {
	return &dialect{
		name:    "cloudflare",
		knows:   func(r *response) bool { return heads(r.header, "Cf-Aig-") },
		ask:     askCloudflare,
		read:    readCloudflare,
		refused: refusedCloudflare,
		lookup:  &lookup{ask: askCloudflareLog, read: lateCloudflare, auth: "Cf-Aig-Authorization"},
		traits:  traits{hidesRetries: true},
	}
}

// askCloudflare fills the five entries of metadata that are kept, exactly; the
// call's key travels as the event's id.
func askCloudflare(h http.Header, t Tags) {
	h.Set("Cf-Aig-Skip-Cache", "true")
	h.Set("Cf-Aig-Event-Id", t.Key.String())
	m := map[string]string{}
	for _, p := range t.pairs() {
		m[p.name] = p.value
	}
	if len(m) > 0 {
		h.Set("Cf-Aig-Metadata", headerJSON(m))
	}
}

func readCloudflare(r *response, c *newel.Call) {
	c.RequestID = r.head("Cf-Aig-Event-Id")
	c.Generation = r.head("Cf-Aig-Log-Id")
	sparse(r, c)
	step(c, r.headInt("Cf-Aig-Step"))
	if word := r.head("Cf-Aig-Cache-Status"); word != "" {
		c.Cache = cacheWord(word)
	}
}

// refusedCloudflare goes by Cloudflare's own codes; the status beside them is
// not documented (424 has been seen). 2030, data loss prevention, does not tell
// the side: the output is assumed, which may have been paid for.
func refusedCloudflare(r *response, c *newel.Call) (Fault, bool) {
	if r.ok() && !r.failed() {
		return Fault{}, false
	}
	switch r.errorCode() {
	case "2016":
		return blocked(c, "blocked_input"), true
	case "2017", "2030":
		return blocked(c, "blocked_output"), true
	case "2003":
		c.Outcome, r.own = "rate_limited", true
		return Fault{Kind: newel.KindGateway, Again: true, Throttled: true}, true
	}
	return Fault{}, false
}

// askCloudflareLog asks for the log's entry. Account and gateway are the two
// parts of the gateway's path behind v1.
func askCloudflareLog(to *url.URL, key string, c *newel.Call) (*http.Request, error) {
	parts := strings.Split(strings.Trim(to.Path, "/"), "/")
	if c.Generation == "" || len(parts) < 3 {
		return nil, nil
	}
	u := url.URL{Scheme: to.Scheme, Host: to.Host}
	if u.Host == "gateway.ai.cloudflare.com" {
		u.Host = "api.cloudflare.com"
	}
	return asker(u.JoinPath("client", "v4", "accounts", parts[1], "ai-gateway", "gateways", parts[2], "logs", url.PathEscape(c.Generation)), key)
}

// lateCloudflare reads one entry of the log.
func lateCloudflare(r *response, c *newel.Call) bool {
	entry := r.at("result")
	if entry == nil {
		return false
	}
	used(c, textOf(dig(entry, "model")), "lookup")
	c.Provider = cmp.Or(textOf(dig(entry, "provider")), c.Provider)
	step(c, intOf(dig(entry, "step")))
	if isTrue(entry, "cached") {
		c.Cache = "hit"
	}
	charged(c, moneyOf(entry, "cost"), "gateway_lookup")
	if ms := millisOf(entry, "duration"); ms != nil {
		c.GatewayMS, c.GatewayScope = ms, "unknown"
	}
	return true
}
