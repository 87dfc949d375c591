package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func someTags() Tags {
	return Tags{Suite: "billing", Rubric: "für Ärzte, 100%", Runner: "local", Run: "r1", Case: "c\n1", Key: newel.Hash{0xab}}
}

const someKey = "ab00000000000000000000000000000000000000000000000000000000000000"

func TestAsk(t *testing.T) {
	t.Parallel()
	const rubric = "f%C3%BCr %C3%84rzte, 100%25"
	plain := map[string]string{"X-Newel-Call": someKey, "X-Newel-Suite": "billing", "X-Newel-Rubric": rubric, "X-Newel-Runner": "local", "X-Newel-Run": "r1"}
	for name, want := range map[string]map[string]string{
		"bifrost": {
			"X-Request-Id": someKey, "X-Bf-Cache-No-Store": "true",
			"X-Bf-Prom-Suite": "billing", "X-Bf-Prom-Rubric": rubric, "X-Bf-Prom-Runner": "local",
			"X-Bf-Maxim-Suite": "billing", "X-Bf-Maxim-Rubric": rubric, "X-Bf-Maxim-Runner": "local", "X-Bf-Maxim-Run": "r1", "X-Bf-Maxim-Case": "c%0A1",
		},
		"helicone": {
			"Helicone-Cache-Enabled": "false", "Helicone-Property-Call": someKey, "Helicone-Property-Suite": "billing",
			"Helicone-Property-Rubric": rubric, "Helicone-Property-Runner": "local", "Helicone-Property-Run": "r1", "Helicone-Property-Case": "c%0A1",
		},
		"cloudflare": {
			"Cf-Aig-Skip-Cache": "true", "Cf-Aig-Event-Id": someKey,
			"Cf-Aig-Metadata": `{"case":"c\n1","rubric":"f\u00fcr \u00c4rzte, 100%","run":"r1","runner":"local","suite":"billing"}`,
		},
		"openai":       {"X-Request-Id": someKey},
		"anthropic":    {"X-Request-Id": someKey},
		"openrouter":   {"X-Openrouter-Metadata": "enabled"},
		"vercel":       {},
		"tensorzero":   {},
		"kong":         plain,
		"mlflow":       plain,
		"agentgateway": plain,
		"envoy":        plain,
		"apim":         plain,
		"nrouter":      plain,
		"ngrok":        plain,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := map[string]string{}
			for header, values := range asked(t, name, someTags()) {
				got[header] = strings.Join(values, "|")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func asked(t *testing.T, name string, tags Tags) http.Header {
	t.Helper()
	d, ok := dialectNamed(name)
	if !ok {
		t.Fatalf("no dialect %s", name)
	}
	h := http.Header{}
	if d.ask != nil {
		d.ask(h, tags)
	}
	return h
}

func TestHeadersTakeAnyTag(t *testing.T) {
	t.Parallel()
	odd := "\x00\r\n\u2028 \xff 漢字 😀 \"{},%"
	tags := Tags{Suite: odd, Rubric: odd, Runner: odd, Run: odd, Case: odd}
	for _, d := range dialects() {
		for header, values := range asked(t, d.name, tags) {
			if strings.IndexFunc(header+values[0], func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
				t.Errorf("%s: %s: %q is no header", d.name, header, values[0])
			}
		}
	}
}

func TestHeaderJSONReadsBack(t *testing.T) {
	t.Parallel()
	want := map[string]string{"a": "漢字 😀 \"\\ \u2028\n", "b": ""}
	text := headerJSON(want)
	var got map[string]string
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
		t.Errorf("%s: not ASCII at %d", text, i)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	tags := map[string]any{"call": someKey, "suite": "billing", "rubric": "für Ärzte, 100%", "runner": "local", "run": "r1", "case": "c\n1"}
	for name, want := range map[string]map[string]any{
		"openrouter": {"metadata": tags},
		"tensorzero": {"tensorzero::tags": tags, "tensorzero::cache_options": map[string]any{"enabled": "off"}},
		"vercel":     {"providerOptions": map[string]any{"gateway": map[string]any{"tags": []any{"suite:billing", "rubric:für Ärzte, 100%", "runner:local", "run:r1"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := dialectNamed(name)
			got := map[string]any{}
			d.fields(got, someTags())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpenRouterKeepsMetadataWithin512Bytes(t *testing.T) {
	t.Parallel()
	d, _ := dialectNamed("openrouter")
	body := map[string]any{}
	d.fields(body, Tags{Case: strings.Repeat("ä", 400)})
	got := dig(body, "metadata", "case").(string)
	if want := strings.Repeat("ä", 256); got != want {
		t.Errorf("got %d bytes, %q…", len(got), cut(got, 8))
	}
	d.fields(body, Tags{Case: "x" + strings.Repeat("ä", 400)})
	if got := dig(body, "metadata", "case").(string); got != "x"+strings.Repeat("ä", 255) {
		t.Errorf("a character that does not fit whole is left out: got %d bytes", len(got))
	}
}
