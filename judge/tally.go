package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"newel"
)

// ballot is one vote about one criterion.
type ballot struct {
	name   string // who voted, for people
	said   string // what, for people
	word   string // pass, fail or a choice, as a row shows it
	passes bool
	score  float64
	why    string
	err    *newel.ScoreError
	orders newel.Orders
}

// tally turns the answers into a score. Of several votes the majority of all
// that were asked decides; of several criteria all must hold. What decides is
// not waited for: a criterion that failed fails the row, whatever became of the
// others.
func (j *Judge) tally(p *plan, outcomes []outcome) newel.Score {
	var parts []newel.Score
	var ballots []ballot
	each := j.def.ballots() * j.def.orders()
	for c := range p.criteria {
		votes := j.ballots(p, p.calls[c*each:(c+1)*each], outcomes[c*each:(c+1)*each])
		parts = append(parts, j.count(votes))
		ballots = append(ballots, votes...)
	}
	out := combine(parts)
	if w := withheldAmong(ballots); w != nil {
		out = newel.Score{Verdict: newel.Failed, Err: w}
	}
	if out.Verdict != newel.Failed {
		j.value(&out, ballots)
	}
	out.Evidence = j.evidence(p, ballots)
	for _, b := range ballots {
		out.Orders.Plus(b.orders)
	}
	if out.Verdict != newel.Failed {
		out.Choice = common(parts)
	}
	return out
}

// common is the choice on which all criteria agree; empty where they do not, or
// one has none.
func common(parts []newel.Score) string {
	for _, part := range parts[1:] {
		if part.Choice != parts[0].Choice {
			return ""
		}
	}
	return parts[0].Choice
}

func withheldAmong(ballots []ballot) *newel.ScoreError {
	for _, b := range ballots {
		if b.err != nil && b.err.Kind.Withheld() {
			return b.err
		}
	}
	return nil
}

// ballots turns the calls about one criterion into votes.
func (j *Judge) ballots(p *plan, calls []call, outcomes []outcome) []ballot {
	orders := j.def.orders()
	votes := make([]ballot, 0, len(calls)/orders)
	for at := 0; at < len(calls); at += orders {
		b := j.ballot(calls[at], outcomes[at])
		if orders == 2 {
			b = j.turn(b, j.ballot(calls[at+1], outcomes[at+1]))
		}
		switch j.def.Form.Kind {
		case Verdict:
			b.passes = b.word == "pass"
		case Score:
			b.passes = atLeast(b.score, j.def.Form.Scale.Pass)
			b.word = map[bool]string{true: "pass", false: "fail"}[b.passes]
		case Choice:
			b.passes = slices.Contains(p.pass, b.word)
		}
		votes = append(votes, b)
	}
	return votes
}

// ballot is one call's answer, in the row's words.
func (j *Judge) ballot(c call, o outcome) ballot {
	b := ballot{name: c.model, err: o.err, why: o.why, score: o.score, word: o.word}
	if j.def.Votes > 1 {
		b.name += ", vote " + strconv.Itoa(c.vote+1)
	}
	switch {
	case o.err != nil:
		b.word, b.said = "", o.err.Error()
	case j.def.Form.Kind == Score:
		b.said = saidScore(o)
	case j.def.paired():
		b.word = j.shown(o.word, c.swapped)
		b.said = b.word
	default:
		b.said = o.word
	}
	return b
}

func saidScore(o outcome) string {
	switch {
	case o.mass > 0:
		return fmt.Sprintf("score %s (expected over the likeliest tokens, which hold %s of the probability)", shortest(o.score), shortest(o.mass))
	case o.plain != "":
		return fmt.Sprintf("score %s (as said: %s)", plain(o.score), o.plain)
	}
	return "score " + plain(o.score)
}

// shortest is a number with at most four decimals.
func shortest(f float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(f, 'f', 4, 64), "0"), ".")
}

// shown is the output of the pair that a place stood for.
func (j *Judge) shown(word string, swapped bool) string {
	switch i := slices.IndexFunc(j.def.Form.Options, func(o Option) bool { return o.Name == word }); {
	case i == 0 || i == 1:
		if swapped {
			i = 1 - i
		}
		return j.def.Pair[i]
	}
	return word
}

// turn puts the answers in both orders together: a choice that turns with the
// order is a tie.
func (j *Judge) turn(one, other ballot) ballot {
	both := one
	both.said = one.said + ", shown the other way round " + other.said
	switch {
	case one.err != nil:
	case other.err != nil:
		both.err, both.word = other.err, ""
	case one.word != other.word:
		both.word = Tie
		both.why = strings.TrimSpace(one.why + "\nShown the other way round: " + other.why)
	}
	if both.err == nil {
		both.orders = j.orders(one.word, other.word)
	}
	return both
}

// orders says whether a vote turned with the order in which its pair was shown.
func (j *Judge) orders(one, other string) newel.Orders {
	o := newel.Orders{Asked: 1}
	switch {
	case one == other:
		o.Same = 1
	case one == j.def.Pair[0] && other == j.def.Pair[1]:
		o.First = 1
	case one == j.def.Pair[1] && other == j.def.Pair[0]:
		o.Second = 1
	}
	return o
}

// atLeast compares as rows do, after rounding to nine decimals.
func atLeast(score, bar float64) bool {
	a, err := newel.ValueOf(score)
	b, other := newel.ValueOf(bar)
	return err == nil && other == nil && a >= b
}

// count finds the majority of the votes about one criterion, of all that were
// asked.
func (j *Judge) count(votes []ballot) newel.Score {
	tally := map[string]int{}
	for _, v := range votes {
		if v.err == nil {
			tally[v.word]++
		}
	}
	for i, v := range votes {
		if v.err == nil && 2*tally[v.word] > len(votes) {
			return j.decided(votes[i])
		}
	}
	if err := worst(votes); err != nil {
		return newel.Score{Verdict: newel.Failed, Err: err}
	}
	said := make([]string, len(votes))
	for i, v := range votes {
		said[i] = v.word
	}
	return newel.Score{Verdict: newel.Undecided, Explanation: "no majority: " + strings.Join(said, ", ")}
}

func (j *Judge) decided(v ballot) newel.Score {
	out := newel.Score{Verdict: newel.Fail, Explanation: clip(v.why, maxWhy)}
	switch {
	case v.passes:
		out.Verdict = newel.Pass
	case j.def.paired() && v.word == Tie && len(j.def.Form.Options) == 2:
		// The judge was not offered a tie: a winner is asked for, and there is none.
		out.Verdict = newel.Undecided
	}
	if j.def.Form.Kind == Choice {
		out.Choice = v.word
	}
	return out
}

// maxWhy is how much of a judge's reasoning is kept, in bytes.
const maxWhy = 2000

// worst is the error that stands for those of the votes: one that asking again
// may help, else the first.
func worst(votes []ballot) *newel.ScoreError {
	var first *newel.ScoreError
	for _, v := range votes {
		switch {
		case v.err == nil:
		case v.err.Kind.Retryable():
			return v.err
		case first == nil:
			first = v.err
		}
	}
	return first
}

// combine puts criteria together: all must hold.
func combine(parts []newel.Score) newel.Score {
	if len(parts) == 1 {
		return parts[0]
	}
	for _, verdict := range []newel.Verdict{newel.Fail, newel.Failed, newel.Undecided} {
		for i, part := range parts {
			if part.Verdict == verdict {
				part.Explanation = strings.TrimRight(fmt.Sprintf("criterion %d: %s", i+1, part.Explanation), ": ")
				return part
			}
		}
	}
	return newel.Score{Verdict: newel.Pass, Explanation: reasons(parts)}
}

// reasons says of each criterion, on lines of its own, why it holds.
func reasons(parts []newel.Score) string {
	var lines []string
	for i, part := range parts {
		if part.Explanation != "" {
			lines = append(lines, fmt.Sprintf("criterion %d: %s", i+1, part.Explanation))
		}
	}
	return clip(strings.Join(lines, "\n"), maxWhy)
}

// value is the median of the scores, or the share of votes that pass, of those
// that could be read. A majority of an odd number of scores passes just where
// their median does.
func (j *Judge) value(out *newel.Score, ballots []ballot) {
	var scores []float64
	passes, read := 0, 0
	for _, b := range ballots {
		if b.err != nil {
			continue
		}
		read++
		scores = append(scores, b.score)
		if b.passes {
			passes++
		}
	}
	if read == 0 {
		return
	}
	v := float64(passes) / float64(read)
	if j.def.Form.Kind == Score {
		v = median(scores)
	}
	if value, err := newel.ValueOf(v); err == nil {
		out.Value, out.HasValue = value, true
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	half := len(list) / 2
	if len(list)%2 == 1 {
		return list[half]
	}
	return float64(list[half-1]+list[half]) / 2
}

// evidence shows each vote.
func (j *Judge) evidence(p *plan, ballots []ballot) []newel.Evidence {
	out := make([]newel.Evidence, len(ballots))
	each := j.def.ballots()
	for i, b := range ballots {
		out[i] = newel.Evidence{Path: b.name, Got: clip(b.said, 500)}
		if len(p.criteria) > 1 {
			out[i].Path = "criterion " + strconv.Itoa(i/each+1) + ", " + b.name
			out[i].Want = clip(p.criteria[i/each], 500)
		}
	}
	return out
}
