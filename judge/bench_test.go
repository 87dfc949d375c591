package judge

import (
	"strings"
	"testing"

	"newel"
	"newel/gateway"
)

// BenchmarkRender fills the groundedness prompt from a case of about 4 kB.
func BenchmarkRender(b *testing.B) {
	j := judgeOf(b, Definition{Prompt: builtin(b, "groundedness")}, newDesk(b, nil))
	s := subject(newel.Case{Input: quoted("When does it ship?"), Output: quoted(strings.Repeat("It ships on Monday. ", 40)), Context: []newel.Passage{{Text: strings.Repeat("Orders ship on Mondays. ", 60)}, {Text: strings.Repeat("We never ship on Sundays. ", 60)}}})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := j.render(s, ask{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKey writes the call's body and hashes it.
func BenchmarkKey(b *testing.B) {
	d := newDesk(b, nil)
	j := judgeOf(b, Definition{Prompt: builtin(b, "groundedness")}, d)
	j.env.Client = d.Client
	s := subject(newel.Case{Input: quoted("When does it ship?"), Output: quoted(strings.Repeat("It ships on Monday. ", 40)), Context: []newel.Passage{{Text: strings.Repeat("Orders ship on Mondays. ", 60)}}})
	q, err := j.render(s, ask{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	c := call{model: "m", asked: q}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := j.key(s, c, j.request(c), 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReply reads a reply of about 400 bytes.
func BenchmarkReply(b *testing.B) {
	f := Form{Kind: Verdict}
	text := says(asked{mark: "0123456789abcdef"}, "verdict", "pass").Text
	text = strings.Replace(text, "Because.", strings.Repeat("The context says so in its second passage. ", 7), 1)
	raw, err := EncodeReply(gateway.Reply{Text: text, Finish: "stop"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := decodeReply(raw)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.readMarked(r.Text, "0123456789abcdef"); err != nil {
			b.Fatal(err)
		}
	}
}
