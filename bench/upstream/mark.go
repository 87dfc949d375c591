package upstream

import (
	"bytes"
	"strings"
)

// Mark, in the text of an answer, stands for the code that the request gives to
// its case: what follows "The mark of this case is", or "mark is still" where it
// asks again. A judge that reads its case repeats it.
const Mark = "{{mark}}"

// marked puts the request's code into a text.
func marked(text string, body []byte) string {
	if !strings.Contains(text, Mark) {
		return text
	}
	return strings.ReplaceAll(text, Mark, markOf(body))
}

// markOf returns the code that a request gives to its case; empty: none.
func markOf(body []byte) string {
	for _, lead := range []string{"mark is still ", "The mark of this case is "} {
		i := bytes.LastIndex(body, []byte(lead))
		if i < 0 {
			continue
		}
		rest := body[i+len(lead):]
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] >= 'a' && rest[n] <= 'f') {
			n++
		}
		return string(rest[:n])
	}
	return ""
}
