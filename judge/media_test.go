package judge

import (
	"context"
	"errors"
	"strings"
	"testing"

	"newel"
	"newel/gateway"
)

func TestFilesGoAlongByTheirHash(t *testing.T) {
	t.Parallel()
	content := []byte("picture")
	hash := newel.HashOf(content)
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	def := criterion(t, "Shows a lake.")
	def.Media, def.Models = true, []Text{{Const: "m"}}
	j, err := New(def, Env{Ask: d.ask, Client: d, Media: func(h newel.Hash) ([]byte, error) {
		if h != hash {
			return nil, errors.New("not there")
		}
		return content, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := newel.Case{Output: quoted("x"), Media: []newel.Media{{Path: "a.PNG", SHA256: hash.String()}, {URL: "https://example.com/b.jpg?size=2"}, {Path: "c.wav", Type: "audio/x-wav", SHA256: hash.String()}, {Path: "d/e.pdf", SHA256: hash.String()}}}
	if got := j.Score(context.Background(), subject(c)); got.Verdict != newel.Pass {
		t.Fatalf("%v %v", got.Verdict, got.Err)
	}
	var body string
	var parts []gateway.Part
	for keyed, r := range d.requests {
		body, parts = keyed, r.Messages[1].Parts
	}
	for _, want := range []string{`"url":"sha256:` + hash.String(), `"url":"https://example.com/b.jpg?size=2"`, `"format":"wav"`, `"filename":"e.pdf"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %s", want, body)
		}
	}
	if data, err := parts[1].Media.Data(); err != nil || string(data) != "picture" {
		t.Errorf("%q %v", data, err)
	}
}

func TestAFileThatCannotBeSentIsSaid(t *testing.T) {
	t.Parallel()
	sha := newel.HashOf(nil).String()
	d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
	def := criterion(t, "a")
	def.Media = true
	j := judgeOf(t, def, d)
	for want, media := range map[string][]newel.Media{
		"case: media 0: video/mp4 cannot be sent to a judge; png, jpeg, webp and gif": {{Path: "a.mp4", Type: "video/mp4", SHA256: sha}},
		"case: media 1: b.bin does not say what it is":                                {{Path: "a.png", SHA256: sha}, {Path: "b.bin", SHA256: sha}},
		"case: media 0: audio/wav is sent as content: give a path":                    {{URL: "https://example.com/a.wav"}},
		"case: media 0: a.png: the plan has no hash of it":                            {{Path: "a.png"}},
		"case: the case has no media":                                                 nil,
	} {
		got := j.Score(context.Background(), subject(newel.Case{Output: quoted("x"), Media: media}))
		if got.Err == nil || !strings.HasPrefix(got.Err.Error(), want) {
			t.Errorf("%v, want %s", got.Err, want)
		}
	}
}

func TestAFileIsAtMostTwentyMiB(t *testing.T) {
	t.Parallel()
	big := make([]byte, MaxMedia+1)
	j := &Judge{env: Env{Media: func(newel.Hash) ([]byte, error) { return big, nil }}}
	m, err := j.file(newel.Media{Path: "a.png", SHA256: newel.HashOf(big).String()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Data(); err == nil || err.Error() != "a.png has more than 20 MiB" {
		t.Errorf("%v", err)
	}
	big = big[:3]
	if _, err := m.Data(); err == nil || !strings.Contains(err.Error(), "another file than its sha256 says") {
		t.Errorf("%v", err)
	}
}
