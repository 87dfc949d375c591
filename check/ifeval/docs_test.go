package ifeval

import (
	"fmt"
	"strings"
	"testing"
)

func TestAgreementPageShowsWhatIsMeasured(t *testing.T) {
	t.Parallel()
	m, err := measured()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, docsPage, agreementPage(m))
}

func agreementPage(m measurement) string {
	var b strings.Builder
	fmt.Fprintf(&b, pageIntro, sumOver(m, func(Family) bool { return true }), plainSum(m),
		sumOver(m, func(f Family) bool { return f.Approximate == "" }),
		sumOver(m, func(f Family) bool { return f.Approximate != "" }))
	b.WriteString("\n## Accuracy of the recorded models\n\nInstructions and prompts followed, in per cent; published / newel.\n\n")
	b.WriteString("| language | model | instructions, strict | instructions, loose | prompts, strict | prompts, loose |\n|---|---|---|---|---|---|\n")
	for i, p := range m.published {
		o := m.ours[i]
		fmt.Fprintf(&b, "| %s | %s | %.2f / %.2f | %.2f / %.2f | %.2f / %.2f | %.2f / %.2f |\n", p.Language, p.Model,
			p.InstructionStrict, o.InstructionStrict, p.InstructionLoose, o.InstructionLoose,
			p.PromptStrict, o.PromptStrict, p.PromptLoose, o.PromptLoose)
	}
	b.WriteString("\n## Every family\n\n| instruction | demands | arguments | strict | loose | stands in for |\n|---|---|---|---|---|---|\n")
	for _, f := range Families() {
		a := m.families[f.ID]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d of %d | %d of %d | %s |\n", f.ID, escaped(f.About), argList(f.Args),
			a.Strict, a.Of, a.Loose, a.Of, f.Approximate)
	}
	return b.String()
}

const pageIntro = `# Verifiable instructions: how often newel agrees with the published checks

This page is written by ` + "`go test ./check/ifeval -update`" + ` from recorded replies: 541 English, 115 Spanish, 235 French
and 172 Japanese prompts, each answered by four models, with the strict and the loose verdict of the authors' code
(IFEval, arXiv:2311.07911; M-IFEval, arXiv:2502.04688; source and licence are in ` + "`check/ifeval/testdata`" + `).

| verdicts | strict | loose |
|---|---|---|
| all of them | %s |
| eight plain families in English, Spanish and French | %s |
| every family that the text alone decides | %s |
| families in which a small tool stands in for a large one | %s |

The eight plain families are no_comma, title, json_format, keyword existence, frequency and forbidden words,
number_words and quotation.

What a reader of these numbers should know:

- They are not a held-out measurement. Where the English paper does not say what a Spanish, French or Japanese family
  demands, its meaning was read off the prompts and the recorded verdicts themselves.
- ` + "`keywords:letter_frequency`" + ` with a sign that is not a letter from a to z (here # and !): the published code counts a
  random letter instead, so its verdict changes from run to run: two replies pass strictly and fail loosely, which nothing
  else can do. newel counts the sign.
- ` + "`language:response_language`" + ` with zh: the published detector says zh-cn or zh-tw, so no reply ever follows. newel says zh.
- Languages are told by letter triples (` + "`check/langid`" + `). A text of a few words has no sure language; the families that ask
  for capitals or small letters in a language fail only on a reliable answer for another one.
- Japanese keywords are sought as text. The published code seeks them among the tokens of a morphological analyser and so
  never finds one that the analyser splits, such as 大聖堂: most of the disagreement is that.
- Sentences are split by the rules of Punkt with short word lists instead of its trained tables. In Spanish the published
  verdicts do not count the numbers of a list as sentences, in English and French they do; newel follows them.
`

// sumOver renders the agreement over the families that keep accepts, as two table cells.
func sumOver(m measurement, keep func(Family) bool) string {
	var sum Agreement
	for _, f := range Families() {
		if a := m.families[f.ID]; keep(f) {
			sum = Agreement{Of: sum.Of + a.Of, Strict: sum.Strict + a.Strict, Loose: sum.Loose + a.Loose}
		}
	}
	return fmt.Sprintf("%d of %d (%.2f %%) | %d of %d (%.2f %%)", sum.Strict, sum.Of, 100*float64(sum.Strict)/float64(sum.Of),
		sum.Loose, sum.Of, 100*float64(sum.Loose)/float64(sum.Of))
}

func plainSum(m measurement) string {
	return sumOver(m, func(f Family) bool {
		for _, id := range plainFamilies {
			if f.Language != "ja" && strings.HasSuffix(f.ID, ":"+id) {
				return true
			}
		}
		return false
	})
}

func argList(args []Arg) string {
	var out []string
	for _, a := range args {
		out = append(out, fmt.Sprintf("%s (%s)", a.Name, a.Kind))
	}
	return strings.Join(out, ", ")
}

// escaped keeps Markdown from reading marks as its own.
func escaped(text string) string {
	return strings.NewReplacer("*", `\*`, "<", `\<`, ">", `\>`, "[", `\[`, "#", `\#`).Replace(text)
}
