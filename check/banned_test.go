package check

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"newel"
)

func TestBanned(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"a text without the words passes", `{"banned": ["risk-free", "ass"]}`, "In class we assess risks.", nil, "pass"},
		{"a word fails", `{"banned": ["ass"]}`, "What an ass!", nil, `fail: holds the banned "ass"`},
		{"a word in capitals fails", `{"banned": "guaranteed"}`, "GUARANTEED return", nil, `fail: holds the banned "GUARANTEED"`},
		{"case may count", `{"banned": {"words": "US", "ignore_case": false}}`, "tell us", nil, "pass"},
		{"a phrase over a line break fails", `{"banned": "guaranteed return"}`, "a guaranteed\n  return", nil, `fail: holds the banned "guaranteed\n  return"`},
		{"the longer of two words that start alike", `{"banned": ["go away", "gopher"]}`, "gopher", nil, `fail: holds the banned "gopher"`},
		{"a word ends at an apostrophe", `{"banned": "ann"}`, "Ann's", nil, `fail: holds the banned "Ann"`},
		{"a word of signs", `{"banned": "c++"}`, "C++ is old", nil, `fail: holds the banned "C++"`},
		{"letters of other scripts belong to words", `{"banned": "дом"}`, "домой", nil, "pass"},
		{"an accent belongs to the word", `{"banned": "cafe"}`, "cafe\u0301", nil, "pass"},
		{"words without spaces around them count", `{"banned": "保証"}`, "利益を保証します", nil, `fail: holds the banned "保証"`},
		{"the words may come from the case", `{"banned": {"from": "vars.w"}}`, "a fox", varsCase("w", `["cat", "fox"]`), `fail: holds the banned "fox"`},
		{"no words in the case ban nothing", `{"banned": {"from": "vars.w"}}`, "a fox", varsCase("w", `[]`), `pass`},
	})
	testMistakes(t, []mistake{
		{"no words", `"banned"`, `banned has no words: give a list, or file:`},
		{"blank words", `{"banned": [" "]}`, `banned has no words: give a list, or file:`},
		{"a file where there are none", `{"banned": {"file": "w.txt"}}`, "banned: file: files are not to be had here; write the words as a list"},
	})
}

func TestBannedWordsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ab ", 134) + "c"
	says := `the word "` + strings.Repeat("ab ", 13) + `a…" has 403 bytes; at most 400 are looked for`
	testRules(t, []rule{
		{"a long word of the case is an error of limit", `{"banned": {"from": "vars.w"}}`, "a fox", varsCase("w", `["fox", "`+long+`"]`), "error limit: " + says},
		{"a word may be as long as the bound", `{"banned": {"from": "vars.w"}}`, long[3:], varsCase("w", `["`+long[3:]+`"]`), "fail: holds the banned " + show(long[3:])},
	})
	testMistakes(t, []mistake{{"a long word", `{"banned": ["` + long + `"]}`, "banned: words: " + says}})
}

func TestBannedReadsAFile(t *testing.T) {
	t.Parallel()
	env := &Env{ReadFile: func(path string) ([]byte, error) {
		if path != "words.txt" {
			return nil, fmt.Errorf("%q is not there", path)
		}
		return []byte("\uFEFF# mild\ndarn\r\n\n  shoot it \n"), nil
	}}
	c, err := ruleCheck(t, `{"banned": {"file": "words.txt", "words": ["heck"]}}`, env)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]newel.Verdict{"Darn.": newel.Fail, "shoot it": newel.Fail, "oh heck": newel.Fail, "# mild": newel.Pass} {
		score := c.Score(context.Background(), newel.NewSubject(&newel.Item{Case: &newel.Case{Output: newel.AppendString(nil, text)}}))
		if score.Verdict != want {
			t.Errorf("%s: %s", text, ruleSays(score))
		}
	}
	if _, err := ruleCheck(t, `{"banned": {"file": "other.txt"}}`, env); err == nil || !strings.Contains(err.Error(), "banned: file: \"other.txt\" is not there") {
		t.Error(err)
	}
}

func FuzzWordTree(f *testing.F) {
	f.Add("risk-free\ncat", "A risk-free  cat")
	f.Add("保証", "利益を保証します")
	f.Add("a b\na", "a  bc a")
	f.Fuzz(func(t *testing.T, words, text string) {
		tree := newWordTree(true)
		tree.addAll(wordLines(words))
		from, to := tree.find(text)
		if from < 0 {
			return
		}
		if to <= from || to > len(text) || utf8.ValidString(text) && !utf8.ValidString(text[from:to]) {
			t.Fatalf("found %d to %d of %q", from, to, text)
		}
		if again, _ := tree.find(text[from:to]); again != 0 {
			t.Fatalf("%q is found in %q but not by itself", text[from:to], text)
		}
	})
}
