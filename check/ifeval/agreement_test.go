package ifeval

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

var update = flag.Bool("update", false, "rewrite agreement.json and docs/ifeval-agreement.md")

const docsPage = "../../docs/ifeval-agreement.md"

// prompt is one line of testdata/LANG.jsonl.zst.
type prompt struct {
	Key    int
	Checks []struct {
		ID   string
		Args map[string]any
	}
	Replies []struct {
		Model, Output string
		Strict, Loose []bool
	}
}

// accuracy is the share of prompts and instructions followed, in per cent, as the authors report it.
type accuracy struct {
	Model             string  `json:"model"`
	Language          string  `json:"language"`
	Prompts           int     `json:"prompts"`
	Instructions      int     `json:"instructions"`
	PromptStrict      float64 `json:"prompt_strict"`
	InstructionStrict float64 `json:"instruction_strict"`
	PromptLoose       float64 `json:"prompt_loose"`
	InstructionLoose  float64 `json:"instruction_loose"`
}

// measurement is everything that the recorded replies say, computed once.
type measurement struct {
	families  map[string]Agreement
	published []accuracy // from the recorded verdicts
	ours      []accuracy // from this package's
}

var measured = sync.OnceValues(measure)

func measure() (measurement, error) {
	m := measurement{families: map[string]Agreement{}}
	for _, lang := range []string{"en", "es", "fr", "ja"} {
		prompts, err := readPrompts(filepath.Join("testdata", lang+".jsonl.zst"))
		if err != nil {
			return m, err
		}
		tallies := map[string]*[2]tally{}
		for _, p := range prompts {
			if err := m.compare(p, tallies); err != nil {
				return m, err
			}
		}
		for _, model := range slices.Sorted(maps.Keys(tallies)) {
			m.published = append(m.published, tallies[model][0].accuracy(model, lang))
			m.ours = append(m.ours, tallies[model][1].accuracy(model, lang))
		}
	}
	return m, nil
}

// compare judges every reply to p and counts, for each model, the published verdicts and ours.
func (m *measurement) compare(p prompt, tallies map[string]*[2]tally) error {
	var instructions []Instruction
	for _, c := range p.Checks {
		in, err := Compile(c.ID, c.Args)
		if err != nil {
			return err
		}
		instructions = append(instructions, in)
	}
	for _, r := range p.Replies {
		strict, loose := make([]bool, len(instructions)), make([]bool, len(instructions))
		for i, in := range instructions {
			strict[i], loose[i] = in.Follow(r.Output), in.FollowLoose(r.Output)
			a := m.families[in.ID()]
			a.Of++
			a.Strict += count(strict[i] == r.Strict[i])
			a.Loose += count(loose[i] == r.Loose[i])
			m.families[in.ID()] = a
		}
		if tallies[r.Model] == nil {
			tallies[r.Model] = &[2]tally{}
		}
		tallies[r.Model][0].add(r.Strict, r.Loose)
		tallies[r.Model][1].add(strict, loose)
	}
	return nil
}

// tally counts verdicts: index 0 strict, 1 loose.
type tally struct {
	prompts, instructions     int
	allFollowed, eachFollowed [2]int
}

func (t *tally) add(verdicts ...[]bool) {
	t.prompts++
	t.instructions += len(verdicts[0])
	for mode, v := range verdicts {
		t.allFollowed[mode] += count(!slices.Contains(v, false))
		for _, ok := range v {
			t.eachFollowed[mode] += count(ok)
		}
	}
}

func (t *tally) accuracy(model, lang string) accuracy {
	percent := func(n, of int) float64 { return math.Round(10000*float64(n)/float64(of)) / 100 }
	return accuracy{
		Model: model, Language: lang, Prompts: t.prompts, Instructions: t.instructions,
		PromptStrict: percent(t.allFollowed[0], t.prompts), InstructionStrict: percent(t.eachFollowed[0], t.instructions),
		PromptLoose: percent(t.allFollowed[1], t.prompts), InstructionLoose: percent(t.eachFollowed[1], t.instructions),
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func readPrompts(path string) ([]prompt, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var out []prompt
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p prompt
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, p)
	}
	return out, lines.Err()
}

func TestVerdictsAgreeAsOftenAsTheEmbeddedTableSays(t *testing.T) {
	t.Parallel()
	m, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(m.families, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "agreement.json", string(got)+"\n")
}

// plainFamilies need no language tool in any of the three languages.
var plainFamilies = []string{
	"punctuation:no_comma", "detectable_format:title", "detectable_format:json_format", "keywords:existence",
	"keywords:frequency", "keywords:forbidden_words", "length_constraints:number_words", "startend:quotation",
}

func TestEightPlainFamiliesAgreeOnEveryVerdict(t *testing.T) {
	t.Parallel()
	m, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Agreement{}
	for _, lang := range []string{"en", "es", "fr"} {
		for _, id := range plainFamilies {
			a, sum := m.families[lang+":"+id], got[lang]
			got[lang] = Agreement{Of: sum.Of + a.Of, Strict: sum.Strict + a.Strict, Loose: sum.Loose + a.Loose}
		}
	}
	want := map[string]Agreement{
		"en": {Of: 1372, Strict: 1372, Loose: 1372},
		"es": {Of: 144, Strict: 144, Loose: 144},
		"fr": {Of: 400, Strict: 400, Loose: 400},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("verdicts that agree (-want +got):\n%s", d)
	}
}

func TestFamiliesThatTheTextDecidesAgreeOnEveryVerdict(t *testing.T) {
	t.Parallel()
	m, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Families() {
		a := m.families[f.ID]
		if f.ID == "en:keywords:letter_frequency" { // the published code draws a letter at random for # and !
			a.Strict, a.Loose = a.Strict+2, a.Loose+2
		}
		if f.Approximate == "" && (a.Strict != a.Of || a.Loose != a.Of) {
			t.Errorf("%s: %d strict and %d loose verdicts of %d agree", f.ID, a.Strict, a.Loose, a.Of)
		}
	}
}

func TestRecordedVerdictsGiveThePublishedAccuracies(t *testing.T) {
	t.Parallel()
	m, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("testdata/reference_accuracy.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []accuracy
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for i := range want { // the file has the maker before some models' names
		if _, name, ok := strings.Cut(want[i].Model, "__"); ok {
			want[i].Model = name
		}
	}
	byModel := func(a, b accuracy) int {
		return strings.Compare(a.Language+a.Model, b.Language+b.Model)
	}
	slices.SortFunc(want, byModel)
	if d := cmp.Diff(want, slices.SortedFunc(slices.Values(m.published), byModel)); d != "" {
		t.Errorf("accuracies (-want +got):\n%s", d)
	}
}

// golden compares got with the file, or writes the file with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; refresh with -update):\n%s", path, d)
	}
}
