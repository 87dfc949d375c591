package target

import (
	"net/http"
	"regexp"
	"strings"

	"newel"
)

// header is a header of the suite: its value may hold ${VAR} and values of the
// case.
type header struct {
	name  string // in canonical form
	value template
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// ownHeaders are set by newel itself.
var ownHeaders = []string{"Accept-Encoding", "Connection", "Content-Length", "Host", "Transfer-Encoding"}

// secretHeaders hold what must not be stored with a suite.
var secretHeaders = []string{"Api-Key", "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"}

// headers reads a map of names to values.
func (f fields) headers() []header {
	n := f.at("headers")
	if n == nil {
		return nil
	}
	if !n.IsMap() {
		f.m.Add(n.Pos, "headers is a map of names to texts; this is %s", n.Kind())
		return nil
	}
	var list []header
	for _, e := range n.Fields {
		list = append(list, f.header(e))
	}
	return list
}

func (f fields) header(e *newel.Field) header {
	name := http.CanonicalHeaderKey(e.Name)
	text, ok := e.Node.Text()
	switch {
	case !headerName.MatchString(e.Name):
		f.m.Add(e.Pos, "%q is not the name of a header", e.Name)
	case contains(ownHeaders, name):
		f.m.Add(e.Pos, "%s is set by newel itself", name)
	case !ok || strings.ContainsAny(text, "\r\n\x00"):
		f.m.Add(e.Node.Pos, "the header %s is a text of one line; quote it if it is a number", e.Name)
	}
	value := parseTemplate(e.Node.Pos, text, syntax{variables: true, fields: true}, f.m).at(inHeader)
	if contains(secretHeaders, name) && len(value.variables()) == 0 {
		f.m.Add(e.Node.Pos, "a secret written here would be stored with the suite: set an environment variable and write %s: ${TARGET_KEY}", e.Name)
	}
	return header{name, value}
}

// fillHeaders returns the headers of one request.
func fillHeaders(list []header, sc *scope, vars *secrets) (http.Header, *fault) {
	filled := http.Header{}
	for _, h := range list {
		value, f := h.value.render(sc, vars)
		if f != nil {
			return nil, f
		}
		filled.Set(h.name, value)
	}
	return filled, nil
}

func headerVariables(list []header) []string {
	var names []string
	for _, h := range list {
		names = append(names, h.value.variables()...)
	}
	return names
}
