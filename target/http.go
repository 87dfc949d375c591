package target

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"newel"
)

// plain asks any HTTP service.
type plain struct {
	web         *web
	secrets     *secrets
	url         address
	method      string
	headers     []header
	body        template
	contentType string // where headers name none
	take        *take
}

var (
	plainKeys   = []string{"url", "method", "headers", "body", "take"}
	plainMethod = []string{"GET", "POST", "PUT", "PATCH"}
)

func parseHTTP(n *newel.Node, env Env, concurrency int, m *newel.Mistakes) (kind, *secrets) {
	before := m.Len()
	f := fieldsOf(n, "http", plainKeys, m)
	h := &plain{headers: f.headers()}
	if u := f.required("url", "the address to ask"); u != nil {
		h.url = parseAddress(u, true, m)
	}
	h.readBody(f)
	h.readMethod(f)
	if t := f.at("take"); t != nil {
		h.take = parseTake(t, m)
	}
	if m.Len() == before && !h.variesByCase() {
		m.Add(n.Pos, "http: neither url, headers nor body hold a {{ path }}, so all cases would ask the same: write body: {question: \"{{ input }}\"}")
	}
	h.secrets = newSecrets(append(h.url.text.variables(), headerVariables(h.headers)...), env.Lookup)
	h.url.secrets = h.secrets
	h.web = newWeb(env, concurrency, h.secrets)
	return h, h.secrets
}

func (h *plain) readMethod(f fields) {
	h.method = strings.ToUpper(f.text("method"))
	switch n := f.at("method"); {
	case n == nil && h.body == nil:
		h.method = http.MethodGet
	case n == nil:
		h.method = http.MethodPost
	case !contains(plainMethod, h.method):
		f.m.Add(n.Pos, "http: method is one of %s", strings.Join(plainMethod, ", "))
	case h.method == http.MethodGet && h.body != nil:
		f.m.Add(n.Pos, "http: GET sends no body; leave out method, or put the values into the url")
	}
}

// readBody reads a map or list, which becomes JSON, or a text. A text is JSON
// when its Content-Type says so or, without one, when it starts like JSON.
func (h *plain) readBody(f fields) {
	n := f.at("body")
	if n == nil {
		return
	}
	if n.IsMap() || n.IsList() {
		h.body, h.contentType = jsonTemplate(n, f.m), "application/json"
		return
	}
	h.body, h.contentType = f.template("body"), "text/plain; charset=utf-8"
	switch kind := strings.ToLower(h.statedType()); {
	case strings.Contains(kind, "json"), kind == "" && h.body.startsLikeJSON():
		h.contentType = "application/json"
		if err := placeInJSON(h.body); err != nil {
			f.m.Add(n.Pos, "http: the body is not JSON, its {{ }} aside: %v; for a body that is none write headers: {Content-Type: text/plain}", err)
		}
	case strings.Contains(kind, "x-www-form-urlencoded"):
		h.body.at(inQuery)
	}
}

// startsLikeJSON reports whether the text itself, not a value of the case,
// opens a list or map.
func (t template) startsLikeJSON() bool {
	if len(t) == 0 {
		return false
	}
	start := strings.TrimLeft(t[0].literal, " \t\r\n")
	return strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[")
}

// statedType returns the Content-Type among the suite's headers.
func (h *plain) statedType() string {
	for _, e := range h.headers {
		if e.name == "Content-Type" && len(e.value) > 0 {
			return e.value[0].literal
		}
	}
	return ""
}

func (h *plain) variesByCase() bool {
	if h.url.text.fields() || h.body.fields() {
		return true
	}
	for _, e := range h.headers {
		if e.value.fields() {
			return true
		}
	}
	return false
}

// opening is the case's input where it is chat. Where it is not, only turns
// make messages.
func (h *plain) opening(sc *scope) ([]any, *fault) { return chatOpening(sc), nil }

func chatOpening(sc *scope) []any {
	if messages, ok := chatOf(sc.subject.Case.Input); ok {
		return messages
	}
	return nil
}

func (h *plain) ask(ctx context.Context, sc *scope) (*reply, *fault) {
	to, f := h.url.fill(sc)
	if f != nil {
		return nil, f
	}
	header, f := fillHeaders(h.headers, sc, h.secrets)
	if f != nil {
		return nil, f
	}
	body, f := h.body.render(sc, h.secrets)
	if f != nil {
		return nil, f
	}
	if h.body != nil && header.Get("Content-Type") == "" {
		header.Set("Content-Type", h.contentType)
	}
	resp, f := h.web.send(ctx, h.method, to, header, body)
	if f != nil {
		return nil, f
	}
	return h.read(resp)
}

func (h *plain) read(resp *response) (*reply, *fault) {
	if h.take != nil {
		v, f := h.web.parse(resp)
		if f != nil {
			return nil, f
		}
		return h.take.from(v)
	}
	if !utf8.Valid(resp.body) {
		return nil, &fault{kind: newel.KindProtocol, text: "the response is not UTF-8 text"}
	}
	return &reply{output: newel.AppendString(nil, string(resp.body))}, nil
}

func (h *plain) cancelled() {}
func (h *plain) close()     { h.web.close() }
