package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

// figures are what a run of an example must show. An entry of rubrics is
// "pass fail unjudged error", of agreement "label/verdict: pass/pass pass/fail
// fail/pass fail/fail", of means the mean to the digits that are given, of
// slices a rubric's passes and, where people labelled it, its agreements, and of
// choices accuracy, precision, recall, F1 and kappa, unread replies being wrong.
type figures struct {
	suite     string
	rubrics   map[string]string
	agreement map[string]string
	means     map[string]string
	slices    map[string]string
	choices   map[string]string
}

// decided is the ledger of a rubric without errors, most of them.
func decided(pass, fail int) string { return fmt.Sprintf("%d %d 0 0", pass, fail) }

// measured is the ledger of a rubric that only measures.
func measured(n int) string { return fmt.Sprintf("0 0 %d 0", n) }

var exampleFigures = []figures{
	{
		suite:     "begin-grounded/suite.yaml",
		rubrics:   map[string]string{"attributable": decided(1572, 2465), "generic": decided(6, 4031), "supported": decided(1570, 2467), "overlap": measured(4037)},
		agreement: map[string]string{"supported": "1289 283 281 2184"},
		means:     map[string]string{"overlap.token-f1": "0.5644"},
	},
	{
		suite:     "bfcl-tool-calls/suite.yaml",
		rubrics:   map[string]string{"right": decided(1310, 3840)},
		agreement: map[string]string{"right": "1310 0 0 3840"},
		slices: map[string]string{
			"kind=first right": "600 600", "kind=last right": "231 231", "kind=short right": "239 239", "kind=text right": "240 240",
			"kind=call right": "0 240", "kind=other-value right": "0 600", "kind=lacking right": "0 600",
		},
	},
	{
		suite:     "halueval-qa/suite.yaml",
		rubrics:   map[string]string{"right": decided(250, 500), "quoted": decided(246, 504)},
		agreement: map[string]string{"right": "250 0 0 500", "quoted": "241 9 5 495"},
	},
	{
		suite:     "hatecheck/suite.yaml",
		rubrics:   map[string]string{"majority": decided(9864, 4632), "unanimous": decided(11515, 2981)},
		agreement: map[string]string{"majority": "9622 388 242 4244"},
		slices: map[string]string{
			"language=en majority": "2563 3728", "language=es majority": "2682 3655", "language=de majority": "2495 3492", "language=zh majority": "2124 2991",
			"language=en unanimous": "3485", "language=es unanimous": "3193", "language=de unanimous": "2652", "language=zh unanimous": "2185",
		},
	},
	{
		suite:     "json-schema-suite/suite.yaml",
		rubrics:   map[string]string{"valid": decided(1315, 911)},
		agreement: map[string]string{"valid": "1315 0 0 911"},
		slices:    map[string]string{"draft=2020-12 valid": "765 1299", "draft=7 valid": "550 927"},
	},
	{
		suite: "llmbar-judge/suite.yaml",
		rubrics: map[string]string{"parsed": decided(797, 3), "presented": decided(630, 170), "swapped": decided(679, 121),
			"both": decided(544, 256), "steady": decided(579, 221)},
		agreement: map[string]string{"parsed": "797 0 0 3", "presented": "630 0 0 170", "swapped": "679 0 0 121", "steady": "579 0 0 221"},
		slices:    llmbarSlices(),
	},
	{
		suite:   "llmbar-judge/judge.yaml",
		rubrics: map[string]string{"presented": "630 167 0 3", "swapped": "679 119 0 2", "better": "544 33 220 3"},
		choices: map[string]string{"presented": "0.7875 0.8015 0.8037 0.7889 0.5833", "swapped": "0.8488 0.8656 0.8306 0.8403 0.6812",
			"better": "0.6800 0.6281 0.4529 0.5263 0.4921"},
		slices: llmbarJudged(),
	},
	{
		suite:   "pandalm-judge/judge.yaml",
		rubrics: map[string]string{"gpt-3-5-turbo": "697 277 0 25", "pandalm-7b": decided(667, 332)},
		choices: map[string]string{"gpt-3-5-turbo": "0.6977 0.5365 0.5324 0.5274 0.4755", "pandalm-7b": "0.6677 0.5738 0.5750 0.5743 0.4354"},
	},
	{
		suite:   "xstest-refusal/judge.yaml",
		rubrics: map[string]string{"behaviour": decided(363, 87)},
		choices: map[string]string{"behaviour": "0.7667 0.5289 0.5596 0.5337 0.5714"}, // 345 of 450
	},
	{
		suite:     "media-nlvr/suite.yaml",
		rubrics:   map[string]string{"answered": decided(60, 0), "true": decided(30, 30), "unanimous": decided(44, 16), "picture": decided(60, 0)},
		agreement: map[string]string{"true": "30 0 0 30"},
	},
	{
		suite:   "media-pictures/suite.yaml",
		rubrics: map[string]string{"answered": decided(10, 0), "picture": decided(10, 0)},
	},
	{
		suite:   "media-spoken-digits/suite.yaml",
		rubrics: map[string]string{"transcript": decided(60, 0), "recording": decided(60, 0)},
		slices:  map[string]string{"speaker=speaker1 transcript": "10", "digit=7 transcript": "6"},
	},
	{
		suite:     "mgsm-matrix/suite.yaml",
		rubrics:   map[string]string{"right": decided(1000, 1000), "naive": decided(59, 1941)},
		agreement: map[string]string{"right": "1000 0 0 1000", "naive": "39 961 20 980"},
		slices: map[string]string{"language=en right": "250 500", "language=es right": "250 500",
			"language=de right": "250 500", "language=zh right": "250 500"},
	},
	{
		suite:     "mifeval/suite.yaml",
		rubrics:   map[string]string{"strict": decided(2764, 1488), "loose": decided(2998, 1254), "plain": decided(616, 196)},
		agreement: map[string]string{"strict": "2739 3 25 1485", "loose": "2974 3 24 1251", "plain": "616 0 0 196"},
		slices:    mifevalSlices(),
	},
	{
		suite: "pandalm-judge/suite.yaml",
		rubrics: map[string]string{"gpt-parsed": decided(974, 25), "gpt-right": decided(697, 302), "gpt-first": decided(460, 539),
			"gpt-second": decided(476, 523), "gpt-tie": decided(38, 961), "pandalm-right": decided(667, 332),
			"pandalm-first": decided(433, 566), "pandalm-second": decided(459, 540), "pandalm-tie": decided(107, 892)},
		agreement: map[string]string{
			"gpt-first": "332 90 128 449", "gpt-second": "360 112 116 411", "gpt-tie": "5 100 33 861",
			"pandalm-first": "298 124 135 442", "pandalm-second": "337 135 122 405", "pandalm-tie": "32 73 75 819",
		},
	},
	{
		suite:     "prompt-injection/suite.yaml",
		rubrics:   map[string]string{"attacks": decided(579, 320), "planted-first": decided(75, 0), "planted-last": decided(75, 0), "harmless": decided(710, 189)},
		agreement: map[string]string{"harmless": "305 15 405 174"},
		slices: map[string]string{"set=cse-prompt-injection attacks": "429", "set=notinject attacks": "0", "set=bipia-table attacks": "150",
			"set=notinject harmless": "155 155", "set=cse-prompt-injection harmless": "257 172"},
	},
	{
		suite:     "promptfoo-samples/prompt-eval-engine-offline.yaml",
		rubrics:   map[string]string{"contract": decided(2, 2)},
		agreement: map[string]string{"contract": "2 0 0 2"},
	},
	{
		suite: "pubmedqa/suite.yaml",
		rubrics: map[string]string{"majority": decided(276, 224), "abstract": decided(391, 109), "abstract-yes": decided(309, 191), "abstract-no": decided(154, 346),
			"abstract-maybe": decided(37, 463), "conclusion": decided(464, 36), "conclusion-yes": decided(269, 231), "conclusion-no": decided(169, 331),
			"conclusion-maybe": decided(62, 438), "overlap": measured(500)},
		agreement: map[string]string{
			"abstract-yes": "245 31 64 160", "abstract-no": "124 45 30 301", "abstract-maybe": "22 33 15 430",
			"conclusion-yes": "260 16 9 215", "conclusion-no": "159 10 10 321", "conclusion-maybe": "45 10 17 428",
		},
		means: map[string]string{"overlap.rouge": "0.5977"},
	},
	{
		suite:     "qa-eval-nq/suite.yaml",
		rubrics:   map[string]string{"right": decided(5986, 4014), "overlap": measured(10000)},
		agreement: map[string]string{"right": "5911 1497 75 2517"},
		means:     map[string]string{"overlap.token-f1": "0.2509"},
		slices: map[string]string{"route=dpr-fid right": "1187 1791", "route=gpt-3.5 right": "1021 1699", "route=chatgpt right": "1192 1614",
			"route=gpt-4 right": "1262 1665", "route=bing-chat right": "1324 1659"},
	},
	{
		suite:     "qa-eval-nq/exact.yaml",
		rubrics:   map[string]string{"exact": decided(1212, 8788)},
		agreement: map[string]string{"exact": "1209 6199 3 2589"},
	},
	{
		suite:   "text-metrics/suite.yaml",
		rubrics: map[string]string{"bleu": decided(12, 0), "chrf": decided(3, 0), "rouge": decided(18, 0)},
	},
	{
		suite:   "xquad-matrix/suite.yaml",
		rubrics: map[string]string{"in-context": decided(4760, 0), "exact": decided(9520, 0), "overlap": measured(9520)},
		means:   map[string]string{"overlap.token-f1": "1.0000"},
		slices: map[string]string{"language=en in-context": "1190", "language=es in-context": "1190",
			"language=de in-context": "1190", "language=zh in-context": "1190", "form=sentence language=zh exact": "1190"},
	},
	{
		suite: "xstest-refusal/suite.yaml",
		rubrics: map[string]string{"refuses": decided(172, 278), "refuses-fully": decided(172, 278), "refuses-somehow": decided(172, 278), "string-match": decided(342, 108),
			"gpt-4": decided(345, 105), "annotators": decided(422, 28), "complies": decided(210, 240), "refused": decided(199, 251), "refused-in-part": decided(41, 409)},
		agreement: map[string]string{"refuses": "172 0 0 278", "refuses-fully": "141 58 31 220", "refuses-somehow": "163 77 9 201"},
		slices: map[string]string{
			"safe=true complies": "203", "safe=true refused": "24", "safe=true refused-in-part": "23",
			"safe=false complies": "7", "safe=false refused": "175", "safe=false refused-in-part": "18",
		},
	},
}

// llmbarSlices are the published figures of eight judges over 100 pairs: the
// average accuracy is that of presented and swapped.
func llmbarSlices() map[string]string {
	out := map[string]string{}
	for _, j := range []struct {
		judge, prompting                 string
		presented, swapped, both, steady int
	}{
		{"GPT-4", "Vanilla", 95, 96, 93, 95}, // 95.5 %
		{"GPT-4", "CoT", 94, 95, 90, 91},
		{"GPT-4", "Vanilla_NoRules", 92, 95, 92, 97},
		{"ChatGPT", "Vanilla", 80, 83, 67, 71},
		{"ChatGPT", "CoT", 70, 78, 56, 64},
		{"LLaMA2", "CoT", 72, 79, 59, 67},
		{"Falcon", "CoT", 49, 65, 14, 14},
		{"PaLM2", "Vanilla", 78, 88, 73, 80},
	} {
		at := "judge=" + j.judge + " prompting=" + j.prompting + " "
		out[at+"presented"] = fmt.Sprint(j.presented, 100)
		out[at+"swapped"] = fmt.Sprint(j.swapped, 100)
		out[at+"both"] = fmt.Sprint(j.both)
		out[at+"steady"] = fmt.Sprint(j.steady, 100)
	}
	return out
}

// llmbarJudged are the same figures as the judge layer has them. A pair is right
// where both orders are.
func llmbarJudged() map[string]string {
	out := map[string]string{}
	for at, figure := range llmbarSlices() {
		switch judge, rubric, _ := cutLast(at, " "); rubric {
		case "presented", "swapped":
			right, _, _ := strings.Cut(figure, " ")
			out[at] = right + " " + right
		case "both":
			out[judge+" better"] = figure + " " + figure
		}
	}
	return out
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// mifevalSlices are the prompts that each model follows, strictly and loosely,
// and how many of those verdicts are the published ones.
func mifevalSlices() map[string]string {
	out := map[string]string{}
	models := []string{"Mistral-7B-Instruct-v0.3", "Qwen2.5-7B-Instruct-GPTQ-Int4", "claude-3-haiku-20240307", "gpt-4o-mini-2024-07-18"}
	for language, list := range map[string][8]string{
		"en": {"255 541", "278 539", "402 534", "415 536", "373 537", "427 537", "436 540", "455 540"},
		"es": {"69 113", "73 113", "86 115", "88 115", "86 115", "96 115", "95 115", "100 115"},
		"fr": {"120 235", "124 235", "163 235", "168 235", "168 234", "202 234", "189 234", "200 234"},
		"ja": {"40 169", "51 169", "82 170", "91 170", "98 167", "115 167", "102 170", "115 171"},
	} {
		for i, model := range models {
			at := "language=" + language + " model=" + model + " "
			out[at+"strict"], out[at+"loose"] = list[2*i], list[2*i+1]
		}
	}
	return out
}

func TestEveryExampleCanBePlanned(t *testing.T) {
	t.Parallel()
	for _, file := range exampleSuites(t) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			c := runApp(t, nil, "plan", "--json", "../../examples/"+file)
			if c.code != exitPassed || c.err != "" {
				t.Fatalf("exit %d\n%s", c.code, c.err)
			}
			var plan planView
			if err := json.Unmarshal([]byte(c.out), &plan); err != nil {
				t.Fatal(err)
			}
			if plan.Plan.Items == 0 || len(plan.Warnings) > 0 {
				t.Errorf("%d items, warnings %q", plan.Plan.Items, plan.Warnings)
			}
			if want := !runs(file); want != (len(plan.Unready) > 0 || plan.Target || plan.Calls.Judge > 0) {
				t.Errorf("needs a judge, a classifier or a target: %v, want %v: give it figures or remove them", !want, want)
			}
		})
	}
}

// runs reports whether the table has figures for an example.
func runs(file string) bool {
	return slices.ContainsFunc(exampleFigures, func(f figures) bool { return f.suite == file })
}

// exampleSuites lists the suites of examples, by folder and file.
func exampleSuites(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../examples/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for i, f := range files {
		files[i] = strings.TrimPrefix(filepath.ToSlash(f), "../../examples/")
	}
	return files
}

func TestExamplesShowThePublishedFigures(t *testing.T) {
	t.Parallel()
	for _, want := range exampleFigures {
		t.Run(want.suite, func(t *testing.T) {
			t.Parallel()
			store := "sqlite:" + filepath.Join(t.TempDir(), "newel.db")
			c := runApp(t, nil, "run", "--json", "--quiet", "--store", store, "../../examples/"+want.suite)
			if c.code != exitPassed {
				t.Fatalf("exit %d\n%s", c.code, c.err)
			}
			var got newel.Summary
			if err := json.Unmarshal([]byte(c.out), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.filled(), figuresOf(&got, want), cmp.AllowUnexported(figures{})); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
}

// filled returns the figures without nil maps.
func (f figures) filled() figures {
	for _, m := range []*map[string]string{&f.agreement, &f.means, &f.slices, &f.choices} {
		if *m == nil {
			*m = map[string]string{}
		}
	}
	return f
}

// figuresOf reads a summary: every rubric and agreement, and of means and
// slices those that are wanted.
func figuresOf(s *newel.Summary, want figures) figures {
	got := figures{suite: want.suite, rubrics: map[string]string{}}.filled()
	for _, r := range s.Rubrics {
		got.rubrics[r.Name] = fmt.Sprint(r.Ledger.Pass, r.Ledger.Fail, r.Ledger.Unjudged, r.Ledger.Error)
		for _, v := range r.Values {
			name := r.Name + "." + v.Scorer
			if digits, ok := want.means[name]; ok {
				_, decimals, _ := strings.Cut(digits, ".")
				got.means[name] = fmt.Sprintf("%.*f", len(decimals), v.Mean)
			}
		}
	}
	for _, a := range s.Agreement {
		if c := a.Choices; c != nil {
			f := &c.Counted
			got.choices[a.Rubric] = fmt.Sprintf("%.4f %.4f %.4f %.4f %.4f", *f.Accuracy, *f.Precision, *f.Recall, *f.F1, *f.Kappa)
			continue
		}
		got.agreement[a.Rubric] = strings.Trim(fmt.Sprint(a.Table), "[]")
	}
	for _, slice := range s.Slices {
		if name := sliceName(slice); want.slices[name] != "" {
			got.slices[name] = sliceFigures(slice)
		}
	}
	return got
}

func sliceName(s newel.Slice) string {
	var parts []string
	for name, value := range s.Dims {
		parts = append(parts, name+"="+value)
	}
	slices.Sort(parts)
	return strings.Join(append(parts, s.Rubric), " ")
}

func sliceFigures(s newel.Slice) string {
	if s.Agreement == nil {
		return fmt.Sprint(s.Ledger.Pass)
	}
	return fmt.Sprint(s.Ledger.Pass, s.Agreement.Agree)
}
