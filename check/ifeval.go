package check

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"newel"
	"newel/check/ifeval"
)

// ifevalSpec asks whether a text follows verifiable instructions.
func ifevalSpec() *Spec {
	return &Spec{
		Name: "ifeval", Family: "structural", Main: "instructions",
		About:  "The text follows each of the verifiable instructions: how long it is, what it holds, how it is formatted. The value is the share of them that it follows; it passes when it follows all.",
		Source: "IFEval (Zhou et al. 2023, arXiv:2311.07911), M-IFEval (Dussolle et al. 2025, arXiv:2502.04688)",
		Params: []Param{
			{Name: "instructions", Type: "list of {id, args}", About: "ids and arguments as in the published sets, such as {id: 'en:length_constraints:number_words', args: {relation: at least, num_words: 300}}; without a language the id is English", Required: true},
			{Name: "mode", Type: "strict or loose", About: "loose also takes the text without its first or last line and without asterisks", Default: "strict"},
		},
		Extra:       readingParams,
		Approximate: "Families that ask for a language, sentences or words use small tools where the published code uses large ones; their measured agreement stands with the families.",
		Example:     `ifeval: [{id: "punctuation:no_comma"}, {id: "keywords:existence", args: {keywords: [refund]}}]`,
		Build:       buildIFEval,
	}
}

func buildIFEval(a *Args) Func {
	reading, mode := ReadingOf(a), Word(a, "mode", "strict", "loose")
	instructions := argOf(a, "instructions", nil, readList)
	fixed, constant := fixedInstructions(a, instructions)
	return func(_ context.Context, s *newel.Subject) newel.Score {
		text, err := boundedText(reading, s)
		if err != nil {
			return Because(err)
		}
		list := fixed
		if !constant {
			if list, err = instructionsOf(s, instructions); err != nil {
				return Because(err)
			}
		}
		word, err := mode.At(s)
		if err != nil {
			return Because(err)
		}
		return followed(list, text, word == "loose")
	}
}

// fixedInstructions compiles a list that is the same for all cases, each
// mistake at its own place.
func fixedInstructions(a *Args, arg Arg[[]any]) ([]ifeval.Instruction, bool) {
	list, constant := arg.Constant()
	if !constant || !arg.Set() {
		return nil, constant
	}
	n := a.Node("instructions")
	if len(list) == 0 {
		a.Wrong(n.Pos, "ifeval: instructions is empty")
	}
	var out []ifeval.Instruction
	for i, v := range list {
		in, err := readInstruction(v)
		if err != nil {
			at := n
			if n.IsList() {
				at = n.List[i]
			}
			a.Wrong(at.Pos, "ifeval: %v", err)
		}
		out = append(out, in)
	}
	return out, true
}

func instructionsOf(s *newel.Subject, arg Arg[[]any]) ([]ifeval.Instruction, error) {
	list, err := arg.At(s)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &ParamError{arg.path.String() + " is an empty list"}
	}
	out := make([]ifeval.Instruction, len(list))
	for i, v := range list {
		if out[i], err = readInstruction(v); err != nil {
			return nil, &ParamError{fmt.Sprintf("%s: %v", arg.path, err)}
		}
	}
	return out, nil
}

func readInstruction(v any) (ifeval.Instruction, error) {
	m, _ := v.(map[string]any)
	id, ok := m["id"].(string)
	if !ok {
		return ifeval.Instruction{}, fmt.Errorf("an instruction is {id, args}, not %s", show(v))
	}
	args, ok := m["args"].(map[string]any)
	if !ok && m["args"] != nil {
		return ifeval.Instruction{}, fmt.Errorf("instruction %q: args is a map, not %s", id, kindOf(m["args"]))
	}
	for name := range m {
		if name != "id" && name != "args" {
			return ifeval.Instruction{}, fmt.Errorf("instruction %q: unknown key %q%s", id, name, newel.DidYouMean(name, []string{"id", "args"}))
		}
	}
	return ifeval.Compile(id, args)
}

func followed(list []ifeval.Instruction, text string, loose bool) newel.Score {
	var broken []string
	for _, in := range list {
		follows := in.Follow
		if loose {
			follows = in.FollowLoose
		}
		if !follows(text) {
			broken = append(broken, in.ID())
		}
	}
	value, err := newel.ValueOf(float64(len(list)-len(broken)) / float64(len(list)))
	if err != nil {
		return Because(err)
	}
	score := newel.Score{Verdict: newel.Pass, Value: value, HasValue: true}
	if len(broken) > 0 {
		score.Verdict = newel.Fail
		score.Explanation = "does not follow " + strconv.Itoa(len(broken)) + " of " + strconv.Itoa(len(list)) + ": " + strings.Join(broken, ", ")
		score.Evidence = []newel.Evidence{{Path: "output", Want: strings.Join(broken, ", "), Got: Clip(text, 400)}}
	}
	return score
}

// ordinal is the place of element i, counted from 1.
func ordinal(i int) string { return strconv.Itoa(i + 1) }
