package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"newel"
)

// Send asks once and reads what comes back. It never returns without a Reply:
// what went wrong is its Fault. The attempt ends with ctx.
func (c *Client) Send(ctx context.Context, b Body, t Tags) Reply {
	start := c.options.Now()
	g := &reading{name: c.options.Name, model: b.Model, tags: t, prices: c.prices, mask: c.mask}
	var reply Reply
	r, f := c.exchange(ctx, b, t)
	if f != nil {
		reply = g.silent(c.asking(), f)
	} else {
		r.decode()
		d := c.answered(r)
		reply = g.read(d, r)
		shortNames(&reply.Call)
	}
	reply.Call.ClientMS = float64(c.options.Now().Sub(start)) / float64(time.Millisecond)
	return reply
}

// asking is the dialect in which a request is written.
func (c *Client) asking() *dialect {
	if c.dialect != nil {
		return c.dialect
	}
	if d := c.seen.Load(); d != nil {
		return d
	}
	return c.plain()
}

// plain is the dialect of an answer that says nothing of a gateway.
func (c *Client) plain() *dialect {
	name := "openai"
	if c.messages {
		name = "anthropic"
	}
	i := slices.IndexFunc(c.known, func(d *dialect) bool { return d.name == name })
	return c.known[i]
}

// answered is the dialect of an answer.
func (c *Client) answered(r *response) *dialect {
	if c.dialect != nil {
		return c.dialect
	}
	d := recognise(c.known, r)
	if d == nil {
		return c.plain()
	}
	c.seen.Store(d)
	return d
}

// recognise finds the dialect of an answer by what only it says; nil: none.
func recognise(known []*dialect, r *response) *dialect {
	for _, d := range known {
		if d.knows != nil && d.knows(r) {
			return d
		}
	}
	return nil
}

// exchange sends the request and reads the answer to its end.
func (c *Client) exchange(ctx context.Context, b Body, t Tags) (*response, *Fault) {
	d := c.asking()
	if c.messages {
		// The members that gateways have of their own are those of chat completions.
		d = withoutFields(d)
	}
	body, err := b.wire(d, t)
	if err != nil {
		return nil, &Fault{Kind: newel.KindWorker, Message: err.Error()}
	}
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &Fault{Kind: newel.KindInternal, Message: "the request cannot be made"}
	}
	c.headers(req, d, t)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, noAnswerFrom(ctx, c.to.Host, err, sent.Load())
	}
	defer resp.Body.Close()
	r, f := c.response(ctx, resp)
	if f == nil {
		r.sent = req
	}
	return r, f
}

// plainKey sends the key as the wire has it. A gateway that speaks the Messages
// wire may look for it in either place; Anthropic itself takes the one alone.
func (c *Client) plainKey(h http.Header, key string) {
	if c.messages {
		h.Set("X-Api-Key", key)
	}
	if !c.messages || c.options.Dialect != "anthropic" && c.to.Hostname() != "api.anthropic.com" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func withoutFields(d *dialect) *dialect {
	if d.fields == nil {
		return d
	}
	bare := *d
	bare.fields = nil
	return &bare
}

func (c *Client) headers(req *http.Request, d *dialect, t Tags) {
	h := req.Header
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	h.Set("User-Agent", "newel")
	if c.messages {
		h.Set("Anthropic-Version", "2023-06-01")
	}
	if key := c.options.Key; key != "" {
		if d.key != nil {
			d.key(h, key, c.to)
		} else {
			c.plainKey(h, key)
		}
	}
	if d.config != "" && c.options.Config != "" {
		h.Set(d.config, c.options.Config)
	}
	if d.ask != nil {
		d.ask(h, t)
	}
	for name, v := range c.options.Headers {
		h.Set(name, v)
	}
}

// response reads an answer to its end, at most MaxBody of it.
func (c *Client) response(ctx context.Context, resp *http.Response) (*response, *Fault) {
	limit := c.options.MaxBody
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= limit {
		buf.Grow(int(n) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(resp.Body, limit+1))
	switch {
	case n > limit:
		return nil, &Fault{Kind: newel.KindTooLarge, Message: fmt.Sprintf("the answer is larger than %d bytes", limit), MayCost: true}
	case err != nil:
		return nil, noAnswerFrom(ctx, c.to.Host, err, true)
	}
	return &response{status: resp.StatusCode, header: resp.Header, body: buf.Bytes(), config: c.config,
		now: clockOf(resp.Header, c.options.Now())}, nil
}

// silent is the reply where nothing came back.
func (g *reading) silent(d *dialect, f *Fault) Reply {
	r := &response{header: http.Header{}}
	c := newCall(g, d, r)
	c.Guardrail, c.Outcome = "unknown", "upstream_error"
	switch {
	case f.Kind == newel.KindTimeout:
		c.Outcome = "timeout"
	case !f.Again:
		c.Outcome = "gateway_error"
	}
	c.Cost = newel.Charge{Status: newel.CostUnknown, Prices: g.prices.version, Excludes: "unknown"}
	if !f.MayCost {
		zero := newel.Money(0)
		c.Cost.USD, c.Cost.Status, c.Cost.Excludes = &zero, newel.CostZero, "no"
	}
	g.tell(f, r, c)
	return Reply{Call: *c, Fault: f}
}

// noAnswerFrom says why nothing came back. What was sent may have been billed.
func noAnswerFrom(ctx context.Context, host string, err error, sent bool) *Fault {
	err = bare(err)
	f := &Fault{Kind: newel.KindGateway, Message: "ask " + host + ": " + err.Error(), Again: true, MayCost: sent}
	var dns *net.DNSError
	switch {
	case errors.Is(err, errRedirect):
		f.Again, f.MayCost, f.Never, f.Message = false, false, true, err.Error()
	case untrusted(err):
		f.Again, f.MayCost, f.Never = false, false, true
		f.Message += " (if the gateway's authority is your own, add its certificate to those that the system trusts, or name its file in SSL_CERT_FILE)"
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		f.Again, f.Message = false, "ask "+host+": cancelled while it was under way"
	case timedOut(err) || ctx.Err() != nil:
		f.Kind, f.Message = newel.KindTimeout, "no answer from "+host+" in time"
	case errors.As(err, &dns):
		f.Never = dns.IsNotFound
		f.Message = fmt.Sprintf("the host %s cannot be found: %s", dns.Name, dns.Err)
	}
	return f
}

// untrusted reports whether asking again cannot help: the certificate is not
// accepted, or the far end speaks no TLS.
func untrusted(err error) bool {
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	return errors.As(err, &verify) || errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid) ||
		errors.As(err, &record) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// bare takes the URL, which may hold secrets, off an error.
func bare(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// maxName is how much of a name that a gateway tells is kept, in bytes. None is
// near it; one far beyond it would be carried in every row.
const maxName = 512

// shortNames cuts names that are longer than any is.
func shortNames(c *newel.Call) {
	for _, name := range []*string{&c.ModelUsed, &c.Provider, &c.Deployment, &c.FallbackFrom, &c.RequestID, &c.UpstreamID, &c.TraceID,
		&c.Generation, &c.Version, &c.Finish, &c.Tier} {
		*name = clip(*name, maxName)
	}
	const most = 32
	if len(c.GuardrailNames) > most {
		c.GuardrailNames = c.GuardrailNames[:most]
	}
	for i, name := range c.GuardrailNames {
		c.GuardrailNames[i] = clip(name, maxName)
	}
}
