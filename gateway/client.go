package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"newel"
)

// Client asks the models behind one gateway. It is safe for use by several
// goroutines.
type Client struct {
	options  Options
	to       *url.URL // the route itself
	messages bool     // the Messages wire
	// dialect is what the suite names; nil: recognised by what comes back.
	dialect *dialect
	// seen is the dialect that answered last, where none is named: its tags are
	// sent from then on. How an answer is read does not depend on it.
	seen   atomic.Pointer[dialect]
	known  []*dialect
	prices *Prices
	config string // that is sent, wherever it came from
	mask   *newel.Secrets
	http   *http.Client

	schemas, systems common // as they stand in bodies
}

const (
	defaultConns   = 64
	defaultMaxBody = 16 << 20
	// idle is below the five seconds after which the usual servers close a
	// connection that is not in use: a call sent just then would be lost.
	idle = 4 * time.Second
	// writeBuffer takes most requests as a whole: one packet less each.
	writeBuffer = 8 << 10
)

// New returns a client. It opens no connection.
func New(o Options) (*Client, error) {
	c := &Client{options: o, known: dialects(), prices: o.Prices}
	if err := c.address(); err != nil {
		return nil, err
	}
	if o.Dialect != "" && o.Dialect != "auto" {
		d, ok := dialectNamed(o.Dialect)
		if !ok {
			return nil, fmt.Errorf("unknown dialect %q: one of auto, %s", o.Dialect, strings.Join(Dialects(), ", "))
		}
		c.dialect = d
	}
	if err := c.takesConfig(); err != nil {
		return nil, err
	}
	c.messages = o.Dialect == "anthropic" || isMessagesURL(c.to)
	if c.dialect == nil && isProvider(c.to.Hostname()) {
		c.dialect = c.plain()
	}
	c.route()
	if c.prices == nil {
		p, err := BuiltInPrices()
		if err != nil {
			return nil, err
		}
		c.prices = p
	}
	if c.options.Now == nil {
		c.options.Now = time.Now
	}
	if c.options.MaxBody <= 0 {
		c.options.MaxBody = defaultMaxBody
	}
	c.mask = secretsOf(o)
	c.config = sentConfig(o)
	return c, c.transport()
}

// takesConfig checks that a config has a header to travel in. Only one dialect
// has: a config without a dialect names it.
func (c *Client) takesConfig() error {
	switch {
	case c.options.Config == "":
	case c.dialect == nil:
		c.dialect, _ = dialectNamed("portkey")
	case c.dialect.config == "":
		return fmt.Errorf("a config is for portkey; dialect %s has none", c.dialect.name)
	}
	return nil
}

// sentConfig returns the config that a gateway works by: the option, or where
// the suite writes the header itself, that.
func sentConfig(o Options) string {
	for name, v := range o.Headers {
		if strings.EqualFold(name, "X-Portkey-Config") {
			return v
		}
	}
	return o.Config
}

// Close closes connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func (c *Client) address() error {
	to, err := url.Parse(strings.TrimSpace(c.options.URL))
	if err != nil || (to.Scheme != "http" && to.Scheme != "https") || to.Host == "" {
		return errors.New("the gateway's url is not one of http or https (its text is not shown: it may hold secrets)")
	}
	to.Fragment = ""
	c.to = to
	return nil
}

// isMessagesURL reports whether an address is of the Messages wire.
func isMessagesURL(to *url.URL) bool {
	return to.Hostname() == "api.anthropic.com" || strings.HasSuffix(strings.TrimRight(to.Path, "/"), "/messages")
}

// isProvider reports whether a host is that of a provider itself. Some have a
// gateway of a known make before their doors, which is not the caller's: its headers
// would mislead.
func isProvider(host string) bool {
	switch host {
	case "api.openai.com", "api.anthropic.com", "api.mistral.ai", "api.groq.com", "api.deepseek.com", "api.x.ai",
		"api.together.xyz", "api.fireworks.ai", "api.cohere.com", "api.cerebras.ai", "api.perplexity.ai":
		return true
	}
	for _, end := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com", ".googleapis.com"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return strings.HasPrefix(host, "bedrock") && strings.HasSuffix(host, ".amazonaws.com")
}

// route completes an address that ends before the route. One without any path
// gets the usual /v1.
func (c *Client) route() {
	path := strings.TrimRight(c.to.Path, "/")
	end := "/chat/completions"
	if c.messages {
		end = "/messages"
	}
	if !strings.HasSuffix(path, end) {
		if path == "" {
			path = "/v1"
		}
		path += end
	}
	c.to.Path, c.to.RawPath = path, ""
}

// secretsOf gathers what must stand in no message.
func secretsOf(o Options) *newel.Secrets {
	values := map[string]string{}
	var names []string
	hide := func(name, value string) {
		if value != "" {
			values[name] = value
			names = append(names, name)
		}
	}
	hide("KEY", o.Key)
	for i, s := range o.Secrets {
		if s != o.Key {
			hide(fmt.Sprintf("SECRET_%d", i+1), s)
		}
	}
	if u, err := url.Parse(o.URL); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok {
			hide("PASSWORD", password)
		} else {
			hide("USER", u.User.Username())
		}
	}
	return newel.NewSecrets(names, func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	})
}

func (c *Client) transport() error {
	conns := c.options.Conns
	if conns <= 0 {
		conns = defaultConns
	}
	t := &http.Transport{
		Proxy:                 c.options.Proxy,
		MaxIdleConns:          conns,
		MaxIdleConnsPerHost:   conns,
		IdleConnTimeout:       idle,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
		WriteBufferSize:       writeBuffer,
	}
	if c.options.Roots != "" {
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		if !roots.AppendCertsFromPEM([]byte(c.options.Roots)) {
			return errors.New("the certificate authorities hold no PEM certificate")
		}
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	c.http = &http.Client{Transport: t, CheckRedirect: redirect}
	return nil
}

var errRedirect = errors.New("redirect refused")

// redirect follows a few within the same origin that keep the method. To another
// one the key and the case's texts must not go.
func redirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host:
		return fmt.Errorf("%w: the gateway sends on to %s://%s; if that is right, write it as the url", errRedirect, next.URL.Scheme, next.URL.Host)
	case next.Method != first.Method:
		return fmt.Errorf("%w: the gateway sends %s on to %s, which would turn it into %s; write the new url", errRedirect, first.Method, next.URL.Path, next.Method)
	case len(via) > 5:
		return fmt.Errorf("%w: more than 5 in a row", errRedirect)
	}
	return nil
}

// Priced reports whether the table has a price for a model under that name.
func (c *Client) Priced(model string) bool { return c.prices.find(model) != nil }

// Prices returns the table in use.
func (c *Client) Prices() *Prices { return c.prices }
