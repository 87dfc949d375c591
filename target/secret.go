package target

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"newel"
)

// secrets reads environment variables when they are needed and takes their
// values out of texts. It never keeps a value.
type secrets struct {
	names  []string // sorted
	lookup func(name string) (string, bool)
}

func newSecrets(names []string, lookup func(string) (string, bool)) *secrets {
	slices.Sort(names)
	return &secrets{slices.Compact(names), lookup}
}

// value returns a variable's value; one that is empty counts as not set.
func (s *secrets) value(name string) (string, *fault) {
	v, ok := s.lookup(name)
	if !ok || v == "" {
		return "", &fault{kind: newel.KindTarget, text: "the environment variable " + name + " is not set where the target is asked"}
	}
	return v, nil
}

// minSecret is how long a value must be, in bytes, to be taken out of messages:
// a shorter one is a number or a flag, and would be found everywhere.
const minSecret = 4

// scrub puts ${NAME} in the place of every value, however it is written.
func (s *secrets) scrub(text string) string {
	type pair struct{ value, name string }
	var pairs []pair
	for _, name := range s.names {
		v, _ := s.lookup(name)
		for _, form := range forms(v) {
			pairs = append(pairs, pair{form, "${" + name + "}"})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return len(b.value) - len(a.value) })
	var oldnew []string
	for _, p := range pairs {
		oldnew = append(oldnew, p.value, p.name)
	}
	return strings.NewReplacer(oldnew...).Replace(text)
}

// forms lists the ways in which a value may stand in a message: as it is, as
// JSON, escaped in a URL, in Base64; of a URL also its password and how Basic
// authentication sends it.
func forms(value string) []string {
	if len(value) < minSecret {
		return nil
	}
	quoted := string(newel.AppendString(nil, value))
	list := []string{value, quoted[1 : len(quoted)-1], strings.TrimSpace(value), url.QueryEscape(value), url.PathEscape(value),
		base64.StdEncoding.EncodeToString([]byte(value)), base64.URLEncoding.EncodeToString([]byte(value))}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		list = append(list, u.User.String(), base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+passwordOf(u))))
		if p := passwordOf(u); p != "" {
			list = append(list, p, url.QueryEscape(p), url.PathEscape(p))
		}
	}
	return slices.DeleteFunc(list, func(form string) bool { return len(form) < minSecret })
}

func passwordOf(u *url.URL) string {
	p, _ := u.User.Password()
	return p
}

// maxMessage is how much of a message is kept, in bytes.
const maxMessage = 6 << 10

// clip bounds a message that is free of secrets already.
func clip(text string) string { return clipTo(text, maxMessage) }

func clipTo(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
