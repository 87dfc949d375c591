package data_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// block is a fenced block of the guide: its language, the word behind it, and
// its text.
var block = regexp.MustCompile("(?ms)^```(\\w+) (\\S+)\n(.*?)^```$")

func TestTheGuidesExamplesGiveWhatTheySay(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(guide), "\n## ")
	ran := 0
	for _, section := range sections[1:] {
		files, source, want := example(t, section)
		if source == nil {
			continue
		}
		ran++
		title, _, _ := strings.Cut(section, "\n")
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			entries, wrong := read(t, write(t, files), source, 2)
			if wrong != "" {
				t.Fatal(wrong)
			}
			var got []any
			for _, e := range entries {
				got = append(got, normal(t, show(t, e.Case)))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-guide +got)\n%s", diff)
			}
		})
	}
	if ran < 7 {
		t.Errorf("found %d examples", ran)
	}
}

func example(t *testing.T, section string) (files map[string]string, source any, want []any) {
	t.Helper()
	files = map[string]string{}
	for _, b := range block.FindAllStringSubmatch(section, -1) {
		switch b[2] {
		case "data":
			if err := yaml.Unmarshal([]byte(b[3]), &source); err != nil {
				t.Fatal(err)
			}
			source = floats(source)
		case "cases":
			for _, line := range strings.Split(strings.TrimSpace(b[3]), "\n") {
				want = append(want, normal(t, line))
			}
		default:
			files[b[2]] = b[3]
		}
	}
	return files, source, want
}

// floats turns YAML's whole numbers into those of JSON.
func floats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = floats(v[k])
		}
	case int:
		return float64(v)
	}
	return v
}
