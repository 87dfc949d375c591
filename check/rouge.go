package check

import (
	"newel"
	"newel/check/textmetric"
)

var rougeVariants = []string{"rougeL", "rougeLsum", "rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rouge6", "rouge7", "rouge8", "rouge9"}

// rougeSpec is ROUGE.
func rougeSpec() *Spec {
	return &Spec{
		Name: "rouge", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "How much of its words, word sequences or longest common subsequence the text shares with the reference, from 0 to 1; of several references the one with the best F1 counts. rougeLsum takes each line for a sentence. Without min or max it only reports.",
		Source: "ROUGE (Lin 2004), as rouge_score 0.1.2 computes it",
		Params: metricParams(
			Param{Name: "variant", Type: "rouge1 to rouge9, rougeL or rougeLsum", About: "what is shared: sequences of 1 to 9 words, or the longest common subsequence", Default: "rougeL"},
			scoreParam,
			Param{Name: "stemmer", Type: "true or false", About: "count English words by their stem (Porter)", Default: "false"},
			Param{Name: "language", Type: "text", About: "ISO 639-1 code; for any but English, words are runs of letters and digits of any script, and characters in zh, ja and th", Default: "en"}),
		Extra:       readingParams,
		Approximate: "for languages other than English there is no published reference: words are then Unicode's letters, marks and digits.",
		Example:     `rouge: {variant: rouge2, stemmer: true, min: 0.3}`,
		Build:       buildRouge,
	}
}

func buildRouge(a *Args) Func {
	variant, score, stemmer := Word(a, "variant", rougeVariants...), Word(a, "score", scoreWords...), Flag(a, "stemmer", false)
	c := comparisonOf(a)
	return measured(c, BoundsOf(a), "the ROUGE score", func(s *newel.Subject, b *sides) (float64, error) {
		name, err := variant.At(s)
		if err != nil {
			return 0, err
		}
		word, err := score.At(s)
		if err != nil {
			return 0, err
		}
		stems, err := stemmer.At(s)
		if err != nil {
			return 0, err
		}
		overlap, err := rougeOf(textmetric.ROUGE{Stemmer: stems, Language: b.language}, name, b)
		return pick(overlap, word), err
	})
}

func rougeOf(r textmetric.ROUGE, variant string, b *sides) (textmetric.PRF, error) {
	switch variant {
	case "rougeL":
		return r.L(b.text, b.wanted)
	case "rougeLsum":
		return r.Lsum(b.text, b.wanted)
	}
	return r.N(int(variant[len("rouge")]-'0'), b.text, b.wanted), nil
}
