package judge

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "../docs/prompts.md"

// endOfIntro is the last line of the page that is written by hand.
const endOfIntro = "<!-- The texts below are written by go test ./judge -update. -->\n"

// TestThePageOfPromptsHasTheirTexts holds the page against the prompts in the
// binary.
func TestThePageOfPromptsHasTheirTexts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	intro, rest, ok := strings.Cut(string(text), endOfIntro)
	if !ok {
		t.Fatalf("%s lacks the line %s", page, endOfIntro)
	}
	var b strings.Builder
	for _, name := range Builtins() {
		source, _ := BuiltinText(name, "1")
		p := builtin(t, name)
		b.WriteString("\n### " + name + "\n\n" + p.About + "\n\n````markdown\n" + string(source) + "````\n")
	}
	if *update {
		if err := os.WriteFile(page, []byte(intro+endOfIntro+b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(b.String(), rest); diff != "" {
		t.Errorf("%s (-prompts +page; go test ./judge -update writes it)\n%s", page, diff)
	}
}

// TestThePageOfPromptsSaysWhatIsSent holds its words against the code's.
func TestThePageOfPromptsSaysWhatIsSent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{strings.TrimSpace(closing("6a0a44a1d3cbb7a9")), "`max_tokens` is 1024", "20 likeliest tokens"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if DefaultMaxTokens != 1024 || alternatives != 20 {
		t.Error("the page's numbers are old")
	}
}
