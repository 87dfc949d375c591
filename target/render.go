package target

import (
	"fmt"
	"net/url"
	"strings"

	"newel"
)

// render fills t from a case. What the case lacks is a fault of kind case.
func (t template) render(sc *scope, vars *secrets) (string, *fault) {
	var b []byte
	for _, p := range t {
		switch {
		case p.literal != "":
			b = append(b, p.literal...)
		case p.variable != "":
			v, f := vars.value(p.variable)
			if f != nil {
				return "", f
			}
			b = append(b, v...)
		default:
			text, f := sc.written(p)
			if f != nil {
				return "", f
			}
			b = append(b, text...)
		}
		if len(b) > MaxBody {
			return "", tooLarge("the request")
		}
	}
	return string(b), nil
}

func tooLarge(what string) *fault {
	return &fault{kind: newel.KindTooLarge, text: fmt.Sprintf("%s is larger than %d MiB", what, MaxBody>>20)}
}

func caseFault(format string, args ...any) *fault {
	return &fault{kind: newel.KindCase, text: fmt.Sprintf(format, args...)}
}

// value returns what a part names. Null counts as absent.
func (sc *scope) value(p part) (any, *fault) {
	switch {
	case p.own == "messages":
		if sc.messages == nil {
			return nil, caseFault("the case has no messages: its input is neither text nor chat messages")
		}
		return sc.messages, nil
	case p.own == "turn":
		if sc.turn == "" {
			return nil, caseFault("the case has no turn: its messages do not end with a text of the user")
		}
		return sc.turn, nil
	}
	v, err := sc.subject.Lookup(p.path)
	if err != nil {
		return nil, caseFault("%v", err)
	}
	if v == nil {
		return nil, caseFault("the case's %s is null", p.path)
	}
	return v, nil
}

// written returns a part's value as it is written in its place.
func (sc *scope) written(p part) (string, *fault) {
	v, f := sc.value(p)
	if f != nil {
		return "", f
	}
	if p.place == asJSON {
		return jsonText(v)
	}
	text, isText := v.(string)
	if !isText {
		if text, f = jsonText(v); f != nil {
			return "", f
		}
	}
	return p.escape(text)
}

func jsonText(v any) (string, *fault) {
	raw, err := newel.CanonicalOf(v)
	if err != nil {
		return "", caseFault("%v", err)
	}
	return strings.TrimSpace(string(raw)), nil
}

func (p part) escape(text string) (string, *fault) {
	switch p.place {
	case inJSON:
		quoted := newel.AppendString(nil, text)
		return string(quoted[1 : len(quoted)-1]), nil
	case inPath:
		if text == "." || text == ".." {
			return "", caseFault("{{ %s }} is %q, which a URL reads as another folder", p.name(), text)
		}
		return url.PathEscape(text), nil
	case inQuery:
		return url.QueryEscape(text), nil
	case inHeader:
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return "", caseFault("{{ %s }} has line breaks or control characters, which a header cannot hold", p.name())
		}
	}
	return text, nil
}
