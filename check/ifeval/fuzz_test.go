package ifeval

import (
	"encoding/json"
	"strings"
	"testing"
)

// compiled gives the instructions of the examples.
func compiled(tb testing.TB) []Instruction {
	tb.Helper()
	var out []Instruction
	for _, ex := range examples {
		in, err := Compile(ex.id, ex.args)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, in)
	}
	return out
}

func FuzzFollow(f *testing.F) {
	for _, ex := range examples {
		f.Add(ex.follows[0])
		f.Add(ex.fails[0])
	}
	f.Add("1. a...\u00a0B?!\") \xff\xc3 *[<<##『「***")
	instructions := compiled(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range instructions {
			strict := in.Follow(text)
			if strict != in.Follow(text) {
				t.Errorf("%s: two verdicts on %q", in.ID(), text)
			}
			if strict && !in.FollowLoose(text) {
				t.Errorf("%s: %q follows strictly and not loosely", in.ID(), text)
			}
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, ex := range examples {
		raw, err := json.Marshal(ex.args)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ex.id, string(raw))
	}
	f.Fuzz(func(t *testing.T, id, raw string) {
		var given map[string]any
		if json.Unmarshal([]byte(raw), &given) != nil {
			return
		}
		in, err := Compile(id, given)
		if err == nil && in.Follow(" ") {
			t.Errorf("%s %s follows on a blank text", id, raw)
		}
	})
}

// BenchmarkFollow judges one reply of 2 kB by each instruction of the examples.
func BenchmarkFollow(b *testing.B) {
	text := strings.Repeat("Dr. Smith wrote *two* lines, \"as asked\".\n- one [item] for 3 p.m. at NASA\n\n", 27)
	for _, in := range compiled(b) {
		b.Run(in.ID(), func(b *testing.B) {
			for b.Loop() {
				in.Follow(text)
			}
		})
	}
}
