package target

import (
	"net/url"
	"strings"

	"newel"
)

// address is a URL of the suite. Its variables are filled in when it is asked,
// so that no plan and no message holds them.
type address struct {
	text    template
	secrets *secrets
}

// parseAddress reads a URL: http or https, with ${VAR} anywhere and values of
// the case in its path and query where fields are allowed.
func parseAddress(n *newel.Node, fields bool, m *newel.Mistakes) address {
	text, ok := n.Text()
	if !ok || text == "" {
		m.Add(n.Pos, "url is a text such as https://example.com/ask; this is %s", n.Kind())
		return address{}
	}
	t := parseTemplate(n.Pos, text, syntax{variables: true, fields: fields}, m)
	host, rest := t.split()
	before, _, _ := strings.Cut(host, "://")
	scheme := strings.ToLower(before)
	switch {
	case strings.Contains(host, "@"):
		m.Add(n.Pos, "a name and password in a URL would be stored with the suite: put the whole URL into an environment variable and write url: ${TARGET_URL}")
	case len(t) > 0 && t[0].variable == "" && (scheme != "http" && scheme != "https" || scheme == strings.ToLower(host)):
		m.Add(n.Pos, "%q is not the URL of an HTTP service: it starts with http://, https:// or ${VAR}", text)
	case strings.Contains(host, fieldMarker):
		m.Add(n.Pos, "values of a case can stand in the path and query of a URL, not choose the host")
	}
	t.placeInURL(rest)
	return address{text: t}
}

const fieldMarker = "\x00"

// split returns the text up to the end of the host, with a marker for values
// of the case, and how many parts belong to it.
func (t template) split() (host string, parts int) {
	started := false // the host has begun
	for i, p := range t {
		switch {
		case p.variable != "":
			host += "${" + p.variable + "}"
			started = true
		case p.isField():
			host += fieldMarker
		default:
			rest := p.literal
			if j := strings.Index(rest, "://"); j >= 0 && !strings.Contains(host, "://") {
				host, rest = host+rest[:j+3], rest[j+3:]
				started = true
			}
			if j := strings.IndexAny(rest, "/?#"); started && j >= 0 {
				return host + rest[:j], i
			}
			host += rest
		}
	}
	return host, len(t)
}

// placeInURL sets how values are escaped, from the part on that ends the host.
func (t template) placeInURL(from int) {
	where := inPath
	for i := range t {
		t[i].place = where
		if i >= from && strings.Contains(t[i].literal, "?") {
			where = inQuery
		}
	}
}

// fill returns the URL for one request.
func (a address) fill(sc *scope) (*url.URL, *fault) {
	text, f := a.text.render(sc, a.secrets)
	if f != nil {
		return nil, f
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &fault{kind: newel.KindTarget, text: "with its variables filled in, url is not that of an HTTP service"}
	}
	return u, nil
}
