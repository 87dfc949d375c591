package main

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"newel/gateway"
)

// gatewayOptions fills in what the flags say with the values of variables.
// Whatever a variable holds, but for the URL as a whole, is taken for a secret.
func (a *app) gatewayOptions(f probeFlags) (gateway.Options, error) {
	o := gateway.Options{Name: "probe", Dialect: f.dialect, Headers: map[string]string{}, Proxy: a.proxy, Now: a.now}
	if err := plainURL(f.url); err != nil {
		return o, err
	}
	fill := filling{lookup: a.env}
	o.URL = fill.text(f.url)
	if f.keyEnv != "" {
		o.Key = fill.secret("${" + f.keyEnv + "}")
	}
	for _, h := range f.headers {
		name, value, err := parseHeader(h)
		if err != nil {
			return o, err
		}
		if o.Headers[name] != "" {
			return o, usage("--header %s is given twice", name)
		}
		o.Headers[name] = fill.secret(value)
	}
	if fill.err != nil {
		return o, fill.err
	}
	o.Secrets = fill.secrets
	return o, a.gatewayFiles(f, &o)
}

// gatewayFiles reads what flags name.
func (a *app) gatewayFiles(f probeFlags, o *gateway.Options) error {
	if f.ca != "" {
		text, err := readFlagFile("ca", f.ca)
		if err != nil {
			return err
		}
		o.Roots = string(text)
	}
	if f.prices == "" {
		return nil
	}
	text, err := readFlagFile("prices", f.prices)
	if err != nil {
		return err
	}
	if o.Prices, err = gateway.ReadPrices(text); err != nil {
		return usage("--prices %s: %v", f.prices, err)
	}
	return nil
}

var (
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	variableUse  = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	fieldName    = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
)

// filling puts the values of variables in place of ${NAME}.
type filling struct {
	lookup  func(string) (string, bool)
	secrets []string
	err     error // the first
}

func (f *filling) text(text string) string {
	return variableUse.ReplaceAllStringFunc(text, func(use string) string {
		name := use[2 : len(use)-1]
		value, ok := f.lookup(name)
		switch {
		case f.err != nil:
		case !ok || value == "":
			f.err = usage("the variable %s is not set", name)
		case strings.ContainsAny(value, "\r\n\x00"):
			f.err = usage("the variable %s holds a line end: neither a key nor a URL has one", name)
		}
		return value
	})
}

// secret is text, whose variables are kept out of everything that is printed.
func (f *filling) secret(text string) string {
	for _, use := range variableUse.FindAllStringSubmatch(text, -1) {
		if value, ok := f.lookup(use[1]); ok && value != "" {
			f.secrets = append(f.secrets, value)
		}
	}
	return f.text(text)
}

// plainURL refuses an address that shows a secret to all who list processes.
func plainURL(text string) error {
	_, rest, _ := strings.Cut(text, "://")
	host, query, _ := strings.Cut(rest, "?")
	if i := strings.IndexAny(host, "/#"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndex(host, "@"); i >= 0 && !isVariable(secretPart(host[:i])) {
		return usage("the URL holds a name and password, which others see in the list of processes: put the whole of it into a variable, such as NEWEL_GATEWAY, and write '${NEWEL_GATEWAY}'; a key is named with --key-env")
	}
	fields, _ := url.ParseQuery(query)
	for name, values := range fields {
		if isSecretName(name) && slices.ContainsFunc(values, func(v string) bool { return !isVariable(v) }) {
			return usage("the URL holds a secret in %q, which others see in the list of processes: put the whole of it into a variable, such as NEWEL_GATEWAY, and write '${NEWEL_GATEWAY}'", cut(name))
		}
	}
	return nil
}

// secretPart is the password of what stands before the host, or all of it.
func secretPart(user string) string {
	if _, password, ok := strings.Cut(user, ":"); ok {
		return password
	}
	return user
}

// isVariable reports whether a text is made of variables alone.
func isVariable(text string) bool { return variableUse.ReplaceAllString(text, "") == "" }

// secretWords are parts of the names of headers and query fields that hold
// secrets.
var secretWords = []string{"auth", "key", "token", "secret", "password", "cookie", "signature", "credential", "-vk"}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) }) || name == "sig"
}

// ownHeaders are set by newel itself.
var ownHeaders = []string{"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Host", "Transfer-Encoding"}

// parseHeader reads 'Name: value'. What is refused is not repeated: it may be a
// key.
func parseHeader(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case !ok || !fieldName.MatchString(name):
		return "", "", usage("--header takes 'Name: ${VAR}'; what was given is not of that form, and not repeated here, as it may be a key")
	case slices.Contains(ownHeaders, name):
		return "", "", usage("--header %s: newel sets it itself", name)
	case value == "" || strings.ContainsAny(value, "\r\n\x00"):
		return "", "", usage("--header %s: its value is a text of one line", name)
	case (isSecretName(name) || looksSecret(value)) && !variableUse.MatchString(value):
		return "", "", usage("--header %s: a secret written here is seen in the list of processes: put it into a variable and write '%s: ${VAR}'", name, name)
	}
	return name, value, nil
}

func looksSecret(value string) bool {
	lower := strings.ToLower(value)
	for _, begin := range []string{"bearer ", "basic ", "sk-", "pk-"} {
		if strings.HasPrefix(lower, begin) {
			return true
		}
	}
	return false
}
