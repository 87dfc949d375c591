package gateway

import "strings"

// The error of an answer, wherever a gateway puts it: under error as an object
// or a text, in a list of either name, or at the top.

// failed reports whether the body tells of an error.
func (r *response) failed() bool {
	switch e := r.at("error").(type) {
	case map[string]any:
		return len(e) > 0
	case string:
		return e != ""
	case []any:
		return len(e) > 0
	}
	return r.text("type") == "error" || r.text("status") == "failure" || (r.at("choices") == nil && len(r.list("errors")) > 0)
}

// errorObject is the object that tells of the error.
func (r *response) errorObject() map[string]any {
	if e, ok := r.at("error").(map[string]any); ok {
		return e
	}
	for _, name := range []string{"error", "errors"} {
		if list := r.list(name); len(list) > 0 {
			if e, ok := list[0].(map[string]any); ok {
				return e
			}
		}
	}
	return r.object
}

// errorType is the type of the error, such as rate_limit_error.
func (r *response) errorType() string { return textOf(r.errorObject()["type"]) }

// errorCode is its code, a number or a word, as text.
func (r *response) errorCode() string { return textOf(r.errorObject()["code"]) }

// errorMessage is what it says, for people; of a body that is no JSON, its
// start.
func (r *response) errorMessage() string {
	if text, ok := r.at("error").(string); ok {
		return text
	}
	e := r.errorObject()
	for _, name := range []string{"message", "detail", "html-message", "title"} {
		switch v := e[name].(type) {
		case string:
			return v
		case map[string]any:
			if text := textOf(v["message"]); text != "" {
				return text
			}
			if text := invalid(v["detail"]); text != "" {
				return text
			}
			return textOf(v["error"])
		case []any:
			return invalid(v)
		}
	}
	if r.object == nil && !r.stream {
		return strings.ToValidUTF8(string(r.body[:min(len(r.body), 4*maxShown)]), "\uFFFD")
	}
	return ""
}

// invalid is the first of what a check of a request's form found, as servers in
// Python tell it: where, and what.
func invalid(detail any) string {
	first := nth(detail, 0)
	text := textOf(dig(first, "msg"))
	where, _ := dig(first, "loc").([]any)
	for i := len(where) - 1; i >= 0 && text != ""; i-- {
		if i < len(where)-1 {
			text = textOf(where[i]) + "." + text
		} else {
			text = textOf(where[i]) + ": " + text
		}
	}
	return text
}
