package gateway

import (
	"encoding/json"
	"net/http"
	"net/textproto"
	"strings"
	"unicode/utf16"
)

// pair is one tag.
type pair struct{ name, value string }

// pairs lists the tags that are set, the ones a bill is grouped by first.
func (t Tags) pairs() []pair {
	all := []pair{{"suite", t.Suite}, {"rubric", t.Rubric}, {"runner", t.Runner}, {"run", t.Run}, {"case", t.Case}}
	set := all[:0]
	for _, p := range all {
		if p.value != "" {
			set = append(set, p)
		}
	}
	return set
}

// object is the tags with the call's key, values cut to limit bytes.
func (t Tags) object(limit int) map[string]any {
	o := map[string]any{"call": t.Key.String()}
	for _, p := range t.pairs() {
		o[p.name] = cut(p.value, limit)
	}
	return o
}

// cut is s without what goes beyond limit bytes, ended at a whole character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "")
}

// headerText is s as a header takes it: printable ASCII, the rest as %XX of
// its bytes.
func headerText(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '%' {
			b.WriteString("%" + hex[s[i]>>4:s[i]>>4+1] + hex[s[i]&15:s[i]&15+1])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// headerJSON is a map of texts as JSON of ASCII only.
func headerJSON(m map[string]string) string {
	data, _ := json.Marshal(m) // a map of texts always has JSON
	var b strings.Builder
	for _, r := range string(data) {
		if r < 0x7f {
			b.WriteRune(r)
			continue
		}
		units := utf16.Encode([]rune{r})
		for _, u := range units {
			const hex = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[u>>shift&15])
			}
		}
	}
	return b.String()
}

// askByID is for a far end of which nothing is known: the call's key goes along
// under the name that logs of servers of all kinds have for it, and says nothing of
// the suite.
func askByID(h http.Header, t Tags) { h.Set("X-Request-Id", t.Key.String()) }

// askPlain is for gateways without tags of their own, whose operators map
// request headers to log fields. The case stays out: such headers may travel on to the
// provider.
func askPlain(h http.Header, t Tags) {
	h.Set("X-Newel-Call", t.Key.String())
	for _, p := range t.pairs() {
		if p.name != "case" {
			h.Set(textproto.CanonicalMIMEHeaderKey("X-Newel-"+p.name), headerText(p.value))
		}
	}
}
