package target

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"newel"
)

const (
	maxRedirects = 5
	// maxErrorBody is how much of an error's body is read, maxHalf how much of
	// its end is left out where it was cut, as half a secret may stand there, and
	// maxShown how much of it is told, in bytes.
	maxErrorBody = 64 << 10
	maxHalf      = 4 << 10
	maxShown     = 500
)

// web sends requests of one target.
type web struct {
	client  *http.Client
	secrets *secrets
	now     func() time.Time
}

// newWeb returns a client with as many kept connections as may be in use. TLS
// is checked against the system's roots.
func newWeb(env Env, concurrency int, s *secrets) *web {
	transport := &http.Transport{
		Proxy:               env.Proxy,
		MaxIdleConns:        concurrency,
		MaxIdleConnsPerHost: concurrency,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
	}
	return &web{&http.Client{Transport: transport, CheckRedirect: redirect}, s, env.Now}
}

func (w *web) close() { w.client.CloseIdleConnections() }

var errRedirect = errors.New("redirect refused")

// redirect follows a few redirects, as long as they keep the method. To another
// origin go neither the suite's headers, which may hold keys, nor the URL it
// came from.
func redirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d in a row", errRedirect, maxRedirects)
	case next.Method != first.Method:
		return fmt.Errorf("%w: the target sends %s on to %s, which would turn it into %s; write the new url in the suite",
			errRedirect, first.Method, next.URL.Host, next.Method)
	}
	next.Header.Del("Referer")
	for _, r := range append(via[1:len(via):len(via)], next) {
		if r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host {
			next.Header = http.Header{"Content-Type": first.Header["Content-Type"], "Accept": first.Header["Accept"]}
		}
	}
	return nil
}

// response is an answer with a good status.
type response struct {
	header http.Header
	body   []byte
}

func (w *web) send(ctx context.Context, method string, to *url.URL, header http.Header, body string) (*response, *fault) {
	req, err := http.NewRequestWithContext(ctx, method, to.String(), strings.NewReader(body))
	if err != nil {
		return nil, &fault{kind: newel.KindTarget, text: "the request cannot be made: " + bare(err).Error()}
	}
	req.Header = header
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, noConnection(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, w.refused(resp)
	}
	read, err := io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	switch {
	case len(read) > MaxBody:
		return nil, tooLarge("the response")
	case err != nil:
		return nil, &fault{kind: newel.KindTarget, text: "the response broke off: " + bare(err).Error(), again: true}
	}
	return &response{resp.Header, read}, nil
}

// bare takes the URL, which may hold secrets, off an error.
func bare(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

func noConnection(err error) *fault {
	err = bare(err)
	var untrusted *tls.CertificateVerificationError
	again := !errors.Is(err, errRedirect) && !errors.As(err, &untrusted)
	return &fault{kind: newel.KindTarget, text: err.Error(), again: again}
}

// refused turns a bad status into a fault that shows the start of the body.
func (w *web) refused(resp *http.Response) *fault {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a part will do
	f := &fault{kind: newel.KindTarget, text: fmt.Sprintf("HTTP %d", resp.StatusCode)}
	if shown := w.shown(body); shown != "" {
		f.text += ": " + shown
	}
	f.again = passing(resp.StatusCode)
	if f.again {
		f.after = retryAfter(resp.Header.Get("Retry-After"), w.now())
	}
	return f
}

// shown returns the start of a body without secrets, on one line.
func (w *web) shown(body []byte) string {
	text := w.secrets.Mask(string(body))
	if len(body) == maxErrorBody {
		text = text[:max(0, len(text)-maxHalf)]
	}
	return clipTo(strings.Join(strings.Fields(text), " "), maxShown)
}

// passing reports whether a status is one that goes by itself.
func passing(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

// retryAfter reads the header's seconds or date; zero where there is none.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// parse reads a response as JSON.
func (w *web) parse(r *response) (any, *fault) {
	v, err := newel.ParseJSON(r.body)
	if err != nil {
		return nil, &fault{kind: newel.KindProtocol, text: fmt.Sprintf("the response is not JSON (%v): %s", err, w.shown(r.body))}
	}
	return v, nil
}
