package newel

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func secretsOf(values map[string]string) *Secrets {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	return NewSecrets(names, func(name string) (string, bool) { v, ok := values[name]; return v, ok })
}

// writings are the ways in which the far end may write a value.
var writings = []struct {
	name  string
	write func(string) string
}{
	{"as it is", func(s string) string { return s }},
	{"in a query", url.QueryEscape},
	{"in a path", url.PathEscape},
	{"every byte percent-encoded", func(s string) string { return eachByte(s, "%%%02X") }},
	{"every byte percent-encoded in small letters", func(s string) string { return eachByte(s, "%%%02x") }},
	{"percent-encoded twice", func(s string) string { return url.QueryEscape(url.QueryEscape(s)) }},
	{"for HTML", html.EscapeString},
	{"every character an entity by number", func(s string) string { return eachRune(s, "&#%d;") }},
	{"every character an entity in hexadecimal", func(s string) string { return eachRune(s, "&#x%X;") }},
	{"for HTML twice", func(s string) string { return html.EscapeString(html.EscapeString(s)) }},
	{"in JSON", quoted},
	{"in JSON that is safe in HTML", marshalled},
	{"in JSON with every character a number", jsonNumbers},
	{"in JSON with slashes escaped", func(s string) string { return strings.ReplaceAll(quoted(s), "/", `\/`) }},
	{"in JSON within JSON", func(s string) string { return quoted(quoted(s)) }},
	{"in JSON within JSON within JSON", func(s string) string { return marshalled(marshalled(marshalled(s))) }},
	{"in JSON on an HTML page", func(s string) string { return html.EscapeString(quoted(s)) }},
	{"in a query in JSON on an HTML page", func(s string) string { return html.EscapeString(marshalled(url.QueryEscape(s))) }},
	{"in a query, on an HTML page", func(s string) string { return html.EscapeString(url.QueryEscape(s)) }},
	{"in JSON in a query", func(s string) string { return url.QueryEscape(marshalled(s)) }},
	{"in Base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"in Base64 for URLs", func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) }},
	{"in Base64 without padding", func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) }},
	{"in Base64 in a query", func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))) }},
	{"in Base64 with slashes escaped", func(s string) string {
		return strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(s)), "/", `\/`)
	}},
}

func eachByte(s, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func eachRune(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func quoted(s string) string {
	b := string(AppendString(nil, s))
	return b[1 : len(b)-1]
}

func marshalled(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

func jsonNumbers(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04X\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

func TestASecretIsMaskedHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		"sk-abc", "sk-proj-1a2B3c", `a"b\c/d&e<f>g'h i+j=k%l~m`, "päß wörd", "key-😀-smile", "\n\tsix..", "p%40ss&amp;", `\u0041\n"x"`,
		"????>>>>~~~~", strings.Repeat("0aZ/", 100), `\\\\\\\\`, "%25%25", "&&&&&&",
	} {
		s := secretsOf(map[string]string{"KEY": secret, "OTHER": "something else"})
		for _, w := range writings {
			t.Run(w.name+" "+secret[:4], func(t *testing.T) {
				t.Parallel()
				written := w.write(secret)
				for _, around := range []struct{ before, after string }{{"", ""}, {"key: <", "> is wrong"}, {"%", "%"}, {`{"a":"`, `"}`}} {
					got := s.Mask(around.before + written + around.after)
					if want := around.before + "${KEY}" + around.after; got != want {
						t.Errorf("%q\nbecame %q\nwant   %q", written, got, want)
					}
				}
			})
		}
	}
}

// Basic authentication puts a name before the key, a gateway may put a whole
// request into Base64: the value stands in its middle at any of three places.
func TestASecretWithinBase64IsMasked(t *testing.T) {
	t.Parallel()
	const secret = "sk-a??b>>c"
	s := secretsOf(map[string]string{"KEY": secret})
	for before := range 8 {
		for after := range 8 {
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
				whole := strings.Repeat("x", before) + secret + strings.Repeat("y", after)
				got := s.Mask("Basic " + enc.EncodeToString([]byte(whole)) + ".")
				if !strings.Contains(got, "${KEY}") {
					t.Fatalf("%d before, %d after: %s", before, after, got)
				}
				rest := strings.SplitN(got, "${KEY}", 2)
				left, _ := base64.RawStdEncoding.DecodeString(strings.TrimPrefix(rest[0], "Basic "))
				if strings.Trim(string(left), "x") != "" {
					t.Errorf("%d before, %d after: %q is left before it", before, after, left)
				}
			}
		}
	}
}

func TestWhatIsMasked(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"the password of a URL", "user ann, password hunter22", "user ann, password ${URL}"},
		{"a URL's password in Basic authentication", "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:hunter22")), "Basic ${URL}"},
		{"a key that a longer one begins with", "short-key and short-key-longer", "${A} and ${B}"},
		{"two in a row", "short-keyshort-key", "${A}${A}"},
		{"a value of four bytes", "pin is a1b2", "pin is ${PIN}"},
		{"not one of three", "the dog barks", "the dog barks"},
		{"not what only begins like one", "short-ke%", "short-ke%"},
		{"what surrounds is left as it is", `%41&amp;\u0041\\ short%2Dkey &lt;`, `%41&amp;\u0041\\ ${A} &lt;`},
		{"nothing", "", ""},
	}
	s := secretsOf(map[string]string{"A": "short-key", "B": "short-key-longer", "PIN": "a1b2", "DOG": "dog", "NONE": "", "URL": "https://ann:hunter22@host/"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := s.Mask(tt.text); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	if got := s.Names(); len(got) != 6 || got[0] != "A" {
		t.Errorf("names %q", got)
	}
}

func TestAReplyIsMaskedInTextsNamesAndNumbers(t *testing.T) {
	t.Parallel()
	s := secretsOf(map[string]string{"KEY": "sk-123456", "PIN": "a1b2", "NUM": "12345678", "BIG": "12345678901234567890"})
	v, err := ParseJSON([]byte(`{"said": ["sk-123456!", "a1b2", null, true, 7], "sk-123456": 12345678, "n": 123456789, "big": 12345678901234567890, "in": {"j": "{\"k\":\"sk\\u002d123456\"}"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"said": []any{"${KEY}!", "a1b2", nil, true, 7.0}, "${KEY}": "${NUM}", "n": 123456789.0, "big": "${BIG}", "in": map[string]any{"j": `{"k":"${KEY}"}`}}
	got, found := s.MaskReply(v)
	if diff := cmp.Diff(want, got); diff != "" || !found {
		t.Errorf("found %v (-want +got)\n%s", found, diff)
	}
	if _, kept := v.(map[string]any)["sk-123456"]; !kept {
		t.Error("what was handed in was changed")
	}
	if clean, found := s.MaskReply("a1b2"); clean != "a1b2" || found {
		t.Errorf("%v, found %v", clean, found)
	}
}

func FuzzMask(f *testing.F) {
	for _, seed := range []string{"sk-123456", "%73%6b", "&#x73;k-", `\u0073k`, `\\\\\\`, "&&&&amp;", "%25%25%"} {
		f.Add(seed, "sk-123456")
	}
	f.Fuzz(func(t *testing.T, text, secret string) {
		s := secretsOf(map[string]string{"KEY": secret})
		got := s.Mask(text)
		if len(secret) >= minInMessage && !strings.Contains("${KEY}", secret) && strings.Contains(strings.ReplaceAll(got, "${KEY}", "\x00"), secret) && !strings.Contains(secret, "\x00") {
			t.Errorf("%q is left in %q of %q", secret, got, text)
		}
		if len(secret) < minInMessage && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func BenchmarkMaskReply(b *testing.B) {
	s := secretsOf(map[string]string{"KEY": "sk-proj-1a2B3c4d5e6f7g8h", "URL": "https://gateway.example/v1"})
	text := strings.Repeat(`It says "so\n" & 5 % of https sketches. `, 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.MaskReply(text)
	}
}
