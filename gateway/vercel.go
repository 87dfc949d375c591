package gateway

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"newel"
)

// vercelDialect reads Vercel AI Gateway. What happened is below
// provider_metadata, where it is told at all; the charge is there or by the
// generation's id.
func vercelDialect() *dialect {
	return &dialect{
		name: "vercel",
		knows: func(r *response) bool {
			return vercelMeta(r) != nil || strings.HasPrefix(r.text("id"), "gen_")
		},
		fields:  fieldsVercel,
		read:    readVercel,
		refused: refusedGuard,
		lookup:  &lookup{ask: askGeneration, read: lateVercel},
		traits:  traits{billed: true},
	}
}

// fieldsVercel writes tags as name:value; their list is what its spend report
// groups by.
func fieldsVercel(body map[string]any, t Tags) {
	tags := []any{}
	for _, p := range t.pairs() {
		if p.name != "case" {
			tags = append(tags, p.name+":"+cut(p.value, 64))
		}
	}
	if len(tags) > 0 {
		body["providerOptions"] = map[string]any{"gateway": map[string]any{"tags": tags}}
	}
}

// vercelMeta is what the gateway says of itself, in whichever place.
func vercelMeta(r *response) any {
	choice := nth(r.at("choices"), 0)
	for _, holder := range []any{r.object, dig(choice, "message"), choice} {
		for _, name := range []string{"provider_metadata", "providerMetadata"} {
			if m := dig(holder, name, "gateway"); m != nil {
				return m
			}
		}
	}
	return nil
}

func readVercel(r *response, c *newel.Call) {
	unsaid(c)
	meta := vercelMeta(r)
	c.Generation = textOf(dig(meta, "generationId"))
	if id := r.text("id"); c.Generation == "" && strings.HasPrefix(id, "gen_") {
		c.Generation = id
	}
	charged(c, moneyOf(meta, "cost"), "gateway_body")
	vercelRouting(dig(meta, "routing"), c)
}

// vercelRouting counts attempts at providers. One that failed makes the answer
// a fallback.
func vercelRouting(routing any, c *newel.Call) {
	c.Provider = cmp.Or(textOf(dig(routing, "finalProvider")), textOf(dig(routing, "resolvedProvider")))
	attempts, _ := dig(routing, "attempts").([]any)
	if len(attempts) == 0 {
		return
	}
	n := len(attempts)
	if all := intOf(dig(routing, "totalProviderAttemptCount")); all != nil && *all > int64(n) {
		n = int(min(*all, 1000))
	}
	index := int64(n - 1)
	c.UpstreamAttempts, c.AttemptsExact = &n, true
	step(c, &index)
	if index > 0 {
		c.FallbackFrom = textOf(dig(attempts[0], "provider"))
	}
}

// lateVercel reads a generation. Its latency is the time to the first token,
// unlike the field of the same name at OpenRouter.
func lateVercel(r *response, c *newel.Call) bool {
	data := r.at("data")
	if data == nil {
		return false
	}
	used(c, textOf(dig(data, "model")), "lookup")
	c.Provider = cmp.Or(textOf(dig(data, "provider_name")), c.Provider)
	ownKey(r, c, data)
	if ms := millisOf(data, "latency"); ms != nil {
		c.FirstTokenMS = ms
	}
	if ms := millisOf(data, "generation_time"); ms != nil {
		c.GatewayMS, c.GatewayScope = ms, "unknown"
	}
	return true
}

// askGeneration asks Vercel and OpenRouter, which have the same route for it:
// beside the one for chats, with the id as a parameter.
func askGeneration(to *url.URL, key string, c *newel.Call) (*http.Request, error) {
	if c.Generation == "" {
		return nil, nil
	}
	u := *to
	path := strings.TrimSuffix(to.Path, "/")
	u.Path = strings.TrimSuffix(strings.TrimSuffix(path, "/chat/completions"), "/messages") + "/generation"
	u.RawPath, u.RawQuery = "", url.Values{"id": {c.Generation}}.Encode()
	return asker(&u, key)
}

// asker is a request for one entry of a log.
func asker(u *url.URL, key string) (*http.Request, error) {
	req, err := http.NewRequest(http.MethodGet, u.String(), nil)
	if err == nil && key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return req, err
}

// ownKey reads what a generation cost. With a provider key of one's own the
// total is the gateway's fee, and the provider's charge comes on top.
func ownKey(r *response, c *newel.Call, data any) {
	charged(c, moneyOf(data, "total_cost"), "gateway_lookup")
	r.byok = isTrue(data, "is_byok")
	if up := moneyOf(data, "upstream_inference_cost"); up != nil && (r.byok || *up > 0) {
		c.Cost.Upstream = up
	}
}
