package gateway

import (
	"net/http"
	"strings"

	"newel"
)

// apimDialect reads Azure API Management, which tells tokens and never money, in
// headers that its operator names.
func apimDialect() *dialect {
	return &dialect{
		name:    "apim",
		knows:   func(r *response) bool { return r.head("Apim-Request-Id") != "" },
		ask:     askPlain,
		read:    readAPIM,
		refused: refusedAPIM,
		traits:  traits{hidesRetries: true},
	}
}

// readAPIM looks for what is left under the names of Microsoft's own examples.
func readAPIM(r *response, c *newel.Call) {
	c.RequestID = r.head("Apim-Request-Id")
	sparse(r, c)
	r.own = r.status < 500 && r.at("statusCode") != nil && r.text("message") != "" // a provider's error has another form
	for _, name := range []string{"Remaining-Tokens", "X-Remaining-Tokens"} {
		if left := r.headInt(name); left != nil && c.Limits == nil {
			c.Limits = &newel.Limits{Remaining: left}
		}
	}
}

// refusedAPIM: a quota is a 403 and comes back in hours; a rate is a 429.
func refusedAPIM(r *response, c *newel.Call) (Fault, bool) {
	if r.status == http.StatusForbidden && strings.Contains(errorWords(r), "quota") {
		return overspent(c), true
	}
	return Fault{}, false
}
