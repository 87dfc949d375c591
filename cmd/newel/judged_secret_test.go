package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newel"
)

// canaries are the secrets of a run: the key, the password of the address and
// what a header brings.
var canaries = []string{canary, "pw-canary-77aa31", "hd-canary-5c0d9e"}

// echoing tells a caller's secrets in every place that an answer has. What it
// does depends on the case.
func echoing(w http.ResponseWriter, r *http.Request) {
	var body strings.Builder
	_, _ = fmt.Fprint(&body, readAll(r))
	n := markedNumber(body.String())
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	all := strings.Join(append(canaries[:2:2], r.Header.Get("X-Extra"), key), " ")
	h := w.Header()
	for _, name := range []string{"X-Request-Id", "X-Litellm-Call-Id", "X-Litellm-Model-Id", "X-Litellm-Model-Name", "X-Litellm-Version", "X-Litellm-Model-Group",
		"Llm_provider-X-Request-Id", "Authorization", "Www-Authenticate", "X-Litellm-Response-Cost", "Retry-After", "Openai-Organization", "Set-Cookie", "Server"} {
		if name == "Retry-After" && n%12 != 4 {
			continue
		}
		h.Set(name, key)
	}
	h.Set("Content-Type", "application/json")
	said, _ := json.Marshal("you sent " + all + " and " + base64.StdEncoding.EncodeToString([]byte(key)) + " and " + url.QueryEscape(all))
	status := http.StatusOK
	text := answered200(body.String(), string(said), all)
	switch n % 12 {
	case 1:
		status, text = 400, `{"error":{"message":`+string(said)+`,"type":`+string(said)+`,"code":`+string(said)+`}}`
	case 2:
		status, text = 500, `{"error":{"message":`+string(said)+`,"type":`+string(said)+`}}`
	case 3:
		status, text = 403, `{"detail":`+string(said)+`}`
	case 4:
		status, text = 404, `{"error":`+string(said)+`}`
	case 5:
		text = "<html>" + all + "</html>"
	case 6:
		h.Set("Location", "http://"+key+".invalid/"+key+"?k="+key)
		status, text = http.StatusTemporaryRedirect, ""
	case 7:
		h.Set("Content-Length", fmt.Sprint(len(text)))
		text = text[:len(text)/2] + all
	case 8:
		text = `{"choices":[{"message":{"content":` + string(said) + `},"finish_reason":"stop"}],"model":` + string(said) + `}`
	case 9:
		text = `{"choices":[{"message":{"content":null,"refusal":` + string(said) + `},"finish_reason":` + string(said) + `}]}`
	}
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, text)
}

func readAll(r *http.Request) string {
	var b strings.Builder
	buffer := make([]byte, 1<<16)
	for {
		n, err := r.Body.Read(buffer)
		b.Write(buffer[:n])
		if err != nil {
			return b.String()
		}
	}
}

func markedNumber(body string) (n int) {
	if _, rest, ok := strings.Cut(body, "case-"); ok {
		_, _ = fmt.Sscanf(rest, "%d", &n)
	}
	return n
}

// answered200 is a verdict whose analysis, ids and model repeat secrets.
func answered200(body, said, all string) string {
	_, mark, _ := strings.Cut(body, "The mark of this case is ")
	mark, _, _ = strings.Cut(mark, ".")
	content, _ := json.Marshal(`{"analysis":` + said + `,"verdict":"fail","check":"` + mark + `"}`)
	quoted, _ := json.Marshal(all)
	return `{"id":` + string(quoted) + `,"model":` + string(quoted) + `,"system_fingerprint":` + string(quoted) + `,"service_tier":` + string(quoted) +
		`,"choices":[{"index":0,"message":{"role":"assistant","content":` + string(content) + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"note":` + string(quoted) + `}}`
}

// forms are the ways in which a secret may stand in a file.
func secretForms(secret string) []string {
	forms := []string{secret, url.QueryEscape(secret)}
	for skip := range 3 {
		code := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + secret))
		forms = append(forms, code[(skip*8+5)/6+1:len(code)-4])
	}
	return forms
}

func leak(text string) string {
	for _, secret := range canaries {
		for _, form := range secretForms(secret) {
			if i := strings.Index(text, form); i >= 0 {
				return text[max(0, i-80):min(len(text), i+80)]
			}
		}
	}
	return ""
}

func TestNoSecretOfAGatewayIsToldOrKept(t *testing.T) {
	t.Parallel()
	far := httptest.NewServer(http.HandlerFunc(echoing))
	t.Cleanup(far.Close)
	dialects := []string{"auto", "litellm", "portkey", "openrouter", "helicone", "agentcc", "openai", "cloudflare", "bifrost"}
	for _, dialect := range dialects[:times(2, len(dialects))] {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, setting{cases: 24, judge: "  retries: 1\n  timeout: 1s\n"})
			text, err := os.ReadFile(b.suite)
			if err != nil {
				t.Fatal(err)
			}
			text = []byte(strings.Replace(string(text), "key_env: GWKEY", `key_env: GWKEY, dialect: `+dialect+`, headers: {X-Extra: "${EXTRA}"}`, 1))
			write(t, b.dir, "suite.yaml", string(text))
			b.env = []string{"GW=" + strings.Replace(far.URL, "://", "://user:"+canaries[1]+"@", 1) + "/v1", "GWKEY=" + canary, "EXTRA=" + canaries[2]}
			told := func(what string, got call) {
				if where := leak(got.out + got.err); where != "" {
					t.Errorf("%s tells a secret: …%s…", what, where)
				}
			}
			got := b.call(t, "run", b.suite, "--id=x")
			told("run", got)
			_, sum := b.sealed(t, "x")
			if sum.Cases.Error == 0 || sum.Cases.Fail == 0 {
				t.Errorf("cases %+v: the run shows nothing", sum.Cases)
			}
			for _, form := range reportForms {
				told("report --as "+form, b.call(t, "report", "x", "--as="+form))
			}
			told("report -v", b.call(t, "report", "x", "-v"))
			told("show", b.call(t, "show", "x"))
			told("cost", b.call(t, "cost", "x"))
			told("plan", b.call(t, "plan", b.suite))
			told("replay", b.call(t, "replay", "x"))
			for i := range 12 {
				told("explain", b.call(t, "explain", "x", fmt.Sprintf("case-%d", i)))
				told("explain --json", b.call(t, "explain", "x", fmt.Sprintf("case-%d", i), "--json"))
			}
			wantCode(t, b.call(t, "export", "x", "--out="+filepath.Join(b.dir, "x.newel"), "-q"), exitPassed)
			b.keepsNoSecret(t, "x")
		})
	}
}

// keepsNoSecret looks through all files of the bench, and what the journal of a
// run has once it is unpacked.
func (b *bench) keepsNoSecret(t testing.TB, id string) {
	t.Helper()
	for _, file := range filesUnder(t, b.dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if where := leak(string(text)); where != "" {
			t.Errorf("%s holds a secret: %q", filepath.Base(file), where)
		}
	}
	s := opened(t, b.dir)
	defer s.Close()
	entries := 0
	for e, err := range s.Paid(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		entries++
		if where := leak(string(e.Reply)); where != "" {
			t.Errorf("a reply holds a secret: …%s…", where)
		}
		if where := leak(string(e.Call)); where != "" {
			t.Errorf("a call holds a secret: …%s…", where)
		}
	}
	if entries == 0 {
		t.Error("the journal is empty")
	}
	var run *newel.Run
	run, err := s.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if where := leak(string(run.Definition) + string(run.Summary)); where != "" {
		t.Errorf("the run's record holds a secret: %s", where)
	}
}
