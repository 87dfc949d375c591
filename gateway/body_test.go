package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func client(t testing.TB, o Options) *Client {
	t.Helper()
	if o.URL == "" {
		o.URL = "http://gateway.test/v1"
	}
	if o.Name == "" {
		o.Name = "main"
	}
	o.Prices = testPrices(t)
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func said(role, text string) Message { return Message{Role: role, Parts: []Part{{Text: text}}} }

func picture(data string) *Media {
	return &Media{Type: "image/png", Name: "p.png", SHA256: newel.HashOf([]byte(data)), Data: func() ([]byte, error) { return []byte(data), nil }}
}

func sound() *Media {
	return &Media{Type: "audio/mpeg", SHA256: newel.HashOf(nil), Data: func() ([]byte, error) { return []byte("RIFF"), nil }}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	schema := newel.Raw(`{"type":"object","properties":{"verdict":{"enum":["pass","fail"]}},"required":["verdict"],"additionalProperties":false}`)
	ask := []Message{said("system", "You judge."), said("user", "Is 2+2=4?")}
	hash := `sha256:` + newel.HashOf([]byte("PNG")).String()
	cases := []struct {
		name  string
		o     Options
		r     Request
		keyed string
		wire  string // empty: as keyed
	}{
		{"a text", Options{}, Request{Model: "m", Messages: ask, MaxTokens: 64, Params: map[string]any{"temperature": 0, "seed": 7}},
			`{"max_completion_tokens":64,"messages":[{"content":"You judge.","role":"system"},{"content":"Is 2+2=4?","role":"user"}],"model":"m","seed":7,"temperature":0}`, ""},
		{"a schema and logprobs", Options{}, Request{Model: "m", Messages: ask[1:], Schema: schema, Logprobs: 5},
			`{"logprobs":true,"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"m","response_format":{"json_schema":{"name":"reply","schema":{"additionalProperties":false,"properties":{"verdict":{"enum":["pass","fail"]}},"required":["verdict"],"type":"object"},"strict":true},"type":"json_schema"},"top_logprobs":5}`, ""},
		{"the suite's own limit and format stand", Options{}, Request{Model: "m", Messages: ask[1:], Schema: schema, MaxTokens: 5, Params: map[string]any{"max_tokens": 9, "response_format": map[string]any{"type": "text"}}},
			`{"max_tokens":9,"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"m","response_format":{"type":"text"}}`, ""},
		{"a picture as a file", Options{}, Request{Model: "m", Messages: []Message{{Role: "user", Parts: []Part{{Text: "this: " + hash}, {Media: picture("PNG")}}}}},
			`{"messages":[{"content":[{"text":"this: ` + hash + `","type":"text"},{"image_url":{"url":"` + hash + `"},"type":"image_url"}],"role":"user"}],"model":"m"}`,
			`{"messages":[{"content":[{"text":"this: ` + hash + `","type":"text"},{"image_url":{"url":"data:image/png;base64,UE5H"},"type":"image_url"}],"role":"user"}],"model":"m"}`},
		{"a text that is the hash stays a text", Options{}, Request{Model: "m", Messages: []Message{said("user", hash), {Role: "user", Parts: []Part{{Media: picture("PNG")}}}}},
			`{"messages":[{"content":"` + hash + `","role":"user"},{"content":[{"image_url":{"url":"` + hash + `"},"type":"image_url"}],"role":"user"}],"model":"m"}`,
			`{"messages":[{"content":"` + hash + `","role":"user"},{"content":[{"image_url":{"url":"data:image/png;base64,UE5H"},"type":"image_url"}],"role":"user"}],"model":"m"}`},
		{"a picture by its URL", Options{}, Request{Model: "m", Messages: []Message{{Role: "user", Parts: []Part{{Media: &Media{Type: "image/png", URL: "https://x.test/p.png"}}}}}},
			`{"messages":[{"content":[{"image_url":{"url":"https://x.test/p.png"},"type":"image_url"}],"role":"user"}],"model":"m"}`, ""},
		{"the Messages wire", Options{Dialect: "anthropic"}, Request{Model: "c", Messages: ask, Schema: schema},
			`{"max_tokens":1024,"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"c","output_config":{"format":{"schema":{"additionalProperties":false,"properties":{"verdict":{"enum":["pass","fail"]}},"required":["verdict"],"type":"object"},"type":"json_schema"}},"system":[{"text":"You judge.","type":"text"}]}`, ""},
		{"a picture on the Messages wire", Options{URL: "https://api.anthropic.com"}, Request{Model: "c", MaxTokens: 5, Messages: []Message{{Role: "user", Parts: []Part{{Media: picture("PNG")}, {Text: "?"}}}}},
			`{"max_tokens":5,"messages":[{"content":[{"source":{"data":"` + hash + `","media_type":"image/png","type":"base64"},"type":"image"},{"text":"?","type":"text"}],"role":"user"}],"model":"c"}`,
			`{"max_tokens":5,"messages":[{"content":[{"source":{"data":"UE5H","media_type":"image/png","type":"base64"},"type":"image"},{"text":"?","type":"text"}],"role":"user"}],"model":"c"}`},
		{"sound", Options{}, Request{Model: "m", Messages: []Message{{Role: "user", Parts: []Part{{Media: sound()}}}}},
			`{"messages":[{"content":[{"input_audio":{"data":"sha256:` + newel.HashOf(nil).String() + `","format":"mp3"},"type":"input_audio"}],"role":"user"}],"model":"m"}`,
			`{"messages":[{"content":[{"input_audio":{"data":"UklGRg==","format":"mp3"},"type":"input_audio"}],"role":"user"}],"model":"m"}`},
		{"LiteLLM is told to leave its cache alone, which is no part of the key", Options{Dialect: "litellm"}, Request{Model: "m", Messages: ask[1:]},
			`{"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"m"}`,
			`{"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"m","cache":{"no-cache":true}}`},
		{"unless the suite says itself what to do with it", Options{Dialect: "litellm"}, Request{Model: "m", Messages: ask[1:], Params: map[string]any{"cache": map[string]any{"use-cache": true}}},
			`{"cache":{"use-cache":true},"messages":[{"content":"Is 2+2=4?","role":"user"}],"model":"m"}`, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := client(t, tc.o)
			b, err := c.Body(tc.r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.keyed, string(b.Keyed)); diff != "" {
				t.Errorf("keyed (-want +got):\n%s", diff)
			}
			if canonical, err := newel.Canonical(b.Keyed); err != nil || string(canonical) != string(b.Keyed) {
				t.Errorf("not canonical: %v", err)
			}
			d := c.asking()
			wire, err := b.wire(d, Tags{})
			if err != nil || !json.Valid(wire) {
				t.Fatalf("%s: %v", wire, err)
			}
			want := tc.wire
			if want == "" {
				want = tc.keyed
			}
			if diff := cmp.Diff(want, string(wire)); diff != "" {
				t.Errorf("wire (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBodiesThatCannotBe(t *testing.T) {
	t.Parallel()
	one := []Message{said("user", "?")}
	cases := []struct {
		name string
		o    Options
		r    Request
		want string
	}{
		{"no model", Options{}, Request{Messages: one}, "needs a model"},
		{"no message", Options{}, Request{Model: "m"}, "needs a message"},
		{"streaming among the params", Options{}, Request{Model: "m", Messages: one, Params: map[string]any{"stream": true}}, "stream is not for params"},
		{"several answers", Options{}, Request{Model: "m", Messages: one, Params: map[string]any{"n": 3}}, "n is not for params"},
		{"logprobs on the Messages wire", Options{Dialect: "anthropic"}, Request{Model: "m", Messages: one, Logprobs: 3}, "tells no logprobs"},
		{"sound on the Messages wire", Options{Dialect: "anthropic"}, Request{Model: "m", Messages: []Message{{Role: "user", Parts: []Part{{Media: sound()}}}}}, "pictures and documents only"},
		{"sound by its URL", Options{}, Request{Model: "m", Messages: []Message{{Role: "user", Parts: []Part{{Media: &Media{Type: "audio/wav", URL: "https://x.test/a.wav"}}}}}}, "not by its URL"},
		{"a broken schema", Options{}, Request{Model: "m", Messages: one, Schema: newel.Raw(`{`)}, "schema"},
		{"a parameter with a name of other letters", Options{}, Request{Model: "m", Messages: one, Params: map[string]any{"größe": 1}}, "names of parameters are ASCII"},
		{"a parameter that is no JSON", Options{}, Request{Model: "m", Messages: one, Params: map[string]any{"x": func() {}}}, "params: x"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := client(t, tc.o).Body(tc.r)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func TestTheRouteIsCompleted(t *testing.T) {
	t.Parallel()
	cases := []struct{ url, dialect, want string }{
		{"http://g.test", "", "http://g.test/v1/chat/completions"},
		{"http://g.test/v1", "", "http://g.test/v1/chat/completions"},
		{"http://g.test/v1/", "", "http://g.test/v1/chat/completions"},
		{"http://g.test/openai/v1/chat/completions", "", "http://g.test/openai/v1/chat/completions"},
		{"http://g.test/deployments/x?api-version=2024", "", "http://g.test/deployments/x/chat/completions?api-version=2024"},
		{"http://g.test/v1/messages", "litellm", "http://g.test/v1/messages"},
		{"https://api.anthropic.com", "", "https://api.anthropic.com/v1/messages"},
		{"http://g.test/v1", "anthropic", "http://g.test/v1/messages"},
	}
	for _, tc := range cases {
		if got := client(t, Options{URL: tc.url, Dialect: tc.dialect}).to.String(); got != tc.want {
			t.Errorf("%s (%s): %s, want %s", tc.url, tc.dialect, got, tc.want)
		}
	}
}

func TestTheWorstIsAboveWhatACallComesTo(t *testing.T) {
	t.Parallel()
	c := client(t, Options{})
	b, err := c.Body(Request{Model: "gpt-4o-mini", Messages: []Message{said("user", strings.Repeat("word ", 1000))}, MaxTokens: 300})
	if err != nil {
		t.Fatal(err)
	}
	worst, ok := c.Worst(b)
	// 5,000 bytes are taken for 2,500 tokens, with 512 besides.
	if want := newel.Money(3012*150_000 + 300*600_000); !ok || worst != want {
		t.Errorf("%v %v, want %v", worst, ok, want)
	}
	b.Model = "house"
	if worst, ok := c.Worst(b); ok || worst != 0 {
		t.Errorf("an unpriced model: %v %v", worst, ok)
	}
	if c.Priced("house") || !c.Priced("gpt-4o") {
		t.Error("priced")
	}
}
