package paid

import (
	"testing"

	"newel"
)

// The vectors were computed by another program from the canonical texts beside
// them. A key that changes makes every journal worthless: raise keyVersion.
func TestKey(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		shape Shape
		text  string
		want  string
	}{
		{
			"all members",
			Shape{Kind: "judge", Body: newel.Raw(`{"model": "m", "max": 1.0, "a": "ü\u00fc"}`), Prompt: newel.HashOf([]byte("Is {{output}} good?")),
				Schema: newel.Raw(`{"type":"object"}`), Gateway: "main", Vote: 2, Trial: 1, Repair: 1},
			`{"body":{"a":"üü","max":1,"model":"m"},"gateway":"main","kind":"judge","prompt":"` + newel.HashOf([]byte("Is {{output}} good?")).String() +
				`","repair":1,"schema":{"type":"object"},"trial":1,"version":1,"vote":2}`,
			"7deba8ca504a29d764ea8c63388b6a16721a4b03e072f29d119ec7bea6e94f08",
		},
		{
			"as few as can be",
			Shape{Kind: "http", Body: newel.Raw(`"x"`), Gateway: `a "b"`},
			`{"body":"x","gateway":"a \"b\"","kind":"http","prompt":"","repair":0,"schema":null,"trial":0,"version":1,"vote":0}`,
			"3558652fe2e8e94b86eb18d0f1469cf0c7dc6b21d3f2ab688f67988bcb1ca24c",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Key(tt.shape)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want || newel.HashOf([]byte(tt.text)) != got {
				t.Errorf("got %s, want %s, the hash of the text is %s", got, tt.want, newel.HashOf([]byte(tt.text)))
			}
		})
	}
}

func TestKeyTellsCallsApart(t *testing.T) {
	t.Parallel()
	base := Shape{Kind: "judge", Body: newel.Raw(`{}`), Gateway: "main"}
	change := map[string]func(*Shape){
		"kind":    func(s *Shape) { s.Kind = "http" },
		"body":    func(s *Shape) { s.Body = newel.Raw(`[]`) },
		"prompt":  func(s *Shape) { s.Prompt = newel.HashOf(nil) },
		"schema":  func(s *Shape) { s.Schema = newel.Raw(`{}`) },
		"gateway": func(s *Shape) { s.Gateway = "other" },
		"vote":    func(s *Shape) { s.Vote = 1 },
		"trial":   func(s *Shape) { s.Trial = 1 },
		"repair":  func(s *Shape) { s.Repair = 1 },
	}
	first, err := Key(base)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[newel.Hash]string{first: "nothing"}
	for name, f := range change {
		s := base
		f(&s)
		k, err := Key(s)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[k]; ok {
			t.Errorf("a change of %s gives the key of a change of %s", name, other)
		}
		seen[k] = name
	}
	for _, s := range []Shape{{Body: newel.Raw(`{"a":1,"a":2}`)}, {}, {Body: newel.Raw(`1`), Schema: newel.Raw(`{`)}} {
		if _, err := Key(s); err == nil {
			t.Errorf("%+v has a key", s)
		}
	}
}
