package target

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"newel"
)

const echoedKey = `sk-"a&b"/<c>+9`

// echoes are the ways in which a service may write the key that it got.
var echoes = map[string]func(string) string{
	"as it is":                func(s string) string { return s },
	"percent-encoded":         url.QueryEscape,
	"escaped for HTML":        html.EscapeString,
	"in Base64":               func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"in Base64 for URLs":      func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"in Basic authentication": func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) },
	"escaped for JSON":        jsonEscaped,
	"escaped for JSON twice":  func(s string) string { return jsonEscaped(jsonEscaped(s)) },
}

func jsonEscaped(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// leaks looks for the key, and for what it becomes in any encoding, in all that
// is stored of an answer.
func leaks(t *testing.T, got newel.Fetched) {
	t.Helper()
	stored, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(stored), "${KEY}") {
		t.Errorf("nothing was masked in %s", stored)
	}
	for name, write := range echoes {
		for _, text := range []string{write(echoedKey), jsonEscaped(write(echoedKey))} {
			if strings.Contains(string(stored), text) {
				t.Errorf("the key %s is in %s", name, stored)
			}
		}
	}
}

func TestAKeyThatIsSentBackIsNeverStored(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{ // to the shape of its reply
		`openai: {url: "%s", model: m, key_env: KEY}`: `{"model": %[1]s, "choices": [{"message": {"content": %[1]s}}]}`,
		`http: {url: "%s", body: "{{ input }}", headers: {X-Key: "${KEY}"}, take: {output: /a, context: /c, run.usage: /u, run.model: /a}}`:     `{"a": %[1]s, "c": [%[1]s, {"id": "1", "text": %[1]s}], "u": {%[1]s: %[1]s}}`,
		`http: {url: "%s", body: "{{ input }}", headers: {X-Key: "${KEY}"}}`:                                                                    `[%s]`,
		`http: {url: "%s", body: "{{ input }}", headers: {X-Key: "${KEY}"}, take: {output_calls: /calls}} # a call`:                             `{"calls": [{"function": {"name": "f", "arguments": {"x": %s}}}]}`,
		`http: {url: "%s", body: "{{ input }}", headers: {X-Key: "${KEY}"}, take: /none} # a place that is not there, told with those that are`: `{%[1]s: 1, "b": %[1]s}`,
	}
	for suite, shape := range kinds {
		for name, write := range echoes {
			for _, status := range []int{200, 401} {
				t.Run(fmt.Sprint(suite[:6], " ", status, " ", name), func(t *testing.T) {
					t.Parallel()
					said, _ := json.Marshal("the key " + write(echoedKey) + " is yours")
					server, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
						w.WriteHeader(status)
						fmt.Fprintf(w, shape, said)
					})
					set := one(t, fmt.Sprintf(suite, server), newWorld(map[string]string{"KEY": echoedKey}).Env)
					got := ask(t, set, newCase(`"q"`))
					if (got.Err == nil) != (status == 200 && !strings.Contains(suite, "/none")) {
						t.Errorf("the error is %v", got.Err)
					}
					leaks(t, got)
				})
			}
		}
	}
}

func TestAKeyThatIsSentBackInATurnIsNeverStored(t *testing.T) {
	t.Parallel()
	server := newChat(t, `{"choices": [{"message": {"content": "%turn, and your key is `+jsonEscaped(echoedKey)+`"}}]}`)
	set := one(t, `openai: {url: "`+server.URL+`", model: m, key_env: KEY}`, newWorld(map[string]string{"KEY": echoedKey}).Env)
	got := ask(t, set, &newel.Case{ID: "a", Turns: []string{"one", "two"}})
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	leaks(t, got)
}

// An error's body is cut: half a key at its end must not be what is left of it
// once its white space is folded.
func TestNoHalfOfASecretStandsWhereABodyIsCut(t *testing.T) {
	t.Parallel()
	server, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, "bad key"+strings.Repeat(" ", maxErrorBody-20)+strings.Repeat("k", 40))
	})
	set := one(t, `http: {url: "`+server+`", body: "{{ input }}", headers: {Authorization: "${KEY}"}}`, newWorld(map[string]string{"KEY": strings.Repeat("k", 40)}).Env)
	got := ask(t, set, newCase(`"q"`))
	wantErr(t, got, newel.KindTarget, "bad key")
	if strings.Contains(got.Err.Message, "kkk") {
		t.Errorf("half a key is in %s", got.Err.Message)
	}
}
