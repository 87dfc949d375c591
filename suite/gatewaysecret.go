package suite

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"newel"
)

// What a suite says is stored with each run and travels with exports: a secret
// must not stand in it. What is refused is not repeated.

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// noSecrets checks what is written of a gateway.
func (d *decoder) noSecrets(n *newel.Node, g *Gateway) {
	if holdsPassword(g.URL) {
		d.wrong(n.Field("url").Pos, "gateway: a name and password in a url would be stored with the suite: put the key into an environment variable and name it in key_env, or the whole url and write url: ${NEWEL_GATEWAY}")
	}
	_, query, _ := strings.Cut(g.URL, "?")
	fields, _ := url.ParseQuery(query) // what cannot be read of it is no field
	for name, values := range fields {
		if isSecretName(name) && slices.ContainsFunc(values, isPlain) {
			d.wrong(n.Field("url").Pos, "gateway: the secret in %s would be stored with the suite: put the whole url into an environment variable and write url: ${NEWEL_GATEWAY}", name)
		}
	}
	if key := n.Field("key_env"); key != nil && g.KeyEnv != "" && !variableName.MatchString(g.KeyEnv) {
		d.wrong(key.Pos, "gateway: key_env names the environment variable that holds the key; what is written is no name of a variable, and not repeated here, as it may be the key itself")
	}
	for _, name := range slices.Sorted(maps.Keys(g.Headers)) {
		if value := g.Headers[name]; (isSecretName(name) || looksSecret(value)) && isPlain(value) {
			d.wrong(n.Field("headers").Pos, "gateway: a secret in headers would be stored with the suite: set an environment variable and write %s: ${NEWEL_GATEWAY_KEY}", name)
		}
	}
}

// isPlain reports whether a text takes nothing from a variable.
func isPlain(text string) bool { return !variable.MatchString(text) }

// isSecretName reports whether a header or a field of a query is one of those
// that hold secrets.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"key", "token", "secret", "password", "authorization", "cookie", "signature", "-vk"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name == "sig"
}

// looksSecret reports whether a value begins as keys do.
func looksSecret(value string) bool {
	value = strings.ToLower(value)
	for _, begin := range []string{"bearer ", "basic ", "sk-", "pk-"} {
		if strings.HasPrefix(value, begin) {
			return true
		}
	}
	return false
}
