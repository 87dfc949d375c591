package judge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"newel"
	"newel/gateway"
	"newel/paid"
)

func TestCallsAreThoseThatScoreAsks(t *testing.T) {
	t.Parallel()
	votes := criterion(t, "Is right.", "Is kind.")
	votes.Models, votes.Votes = []Text{{Const: "m"}, {Const: "n"}}, 3
	free := criterion(t, "Is right.")
	free.Free = true
	for name, def := range map[string]Definition{"one": criterion(t, "Is right."), "criteria, models and votes": votes, "without a schema": free} {
		d := newDesk(t, func(a asked) gateway.Reply { return says(a, "verdict", "pass") })
		j, s := judgeOf(t, def, d), answered("q", "x")
		planned, err := j.Calls(context.Background(), s)
		if err != nil || len(d.keys) > 0 {
			t.Fatalf("%s: %v, and %d calls were made", name, err, len(d.keys))
		}
		var keys []newel.Hash
		for _, p := range planned {
			key, err := paid.Key(p.Shape)
			if err != nil || key != p.Key || p.Body.Model != p.Model || p.Model == "" {
				t.Errorf("%s: call %+v has the key %s (%v)", name, p, key, err)
			}
			keys = append(keys, key)
		}
		j.Score(context.Background(), s)
		order := func(a, b newel.Hash) int { return slices.Compare(a[:], b[:]) }
		slices.SortFunc(keys, order)
		slices.SortFunc(d.keys, order)
		if !slices.Equal(keys, d.keys) || len(keys) != def.Calls() {
			t.Errorf("%s: %d calls are planned, %d are made, and they differ", name, len(keys), len(d.keys))
		}
	}
}

func TestNoCallIsPlannedWhereNoneIsMade(t *testing.T) {
	t.Parallel()
	def := criterion(t, "Is right.")
	def.At = pathOf(t, "output_json")
	j := judgeOf(t, def, newDesk(t, nil))
	var output *newel.OutputError
	if calls, err := j.Calls(context.Background(), answered("q", "no JSON")); !errors.As(err, &output) || len(calls) > 0 {
		t.Errorf("of an output that cannot be read: %d calls, %v", len(calls), err)
	}
	def.Replies = pathOf(t, "vars.reply")
	j = judgeOf(t, def, newDesk(t, nil))
	if calls, err := j.Calls(context.Background(), answered("q", "{}")); err != nil || len(calls) > 0 {
		t.Errorf("of recorded replies: %d calls, %v", len(calls), err)
	}
}

// What a body is made of is not looked at again for its key.
func TestAKeyIsThatOfTheCanonicalBody(t *testing.T) {
	t.Parallel()
	odd := []string{"", "plain", "\x00\x1f\x7f\u2028\u2029<>&/\\\"", "\xff\xfe", "e\u0301 \U0001f600 \ufeff", "\ud7ff\ue000", "{\"a\": 1.0}"}
	choice := criterion(t, "Is right.")
	choice.Form = Form{Kind: Choice, Options: []Option{{Name: "\u00e9</x>"}, {Name: "\"b\"\n"}}}
	score := criterion(t, "Is right.")
	score.Form = Form{Kind: Score, Scale: Scale{Min: 0.5, Max: 1e21, Pass: 1}}
	score.Params = map[string]any{"temperature": 1.50, "seed": 12345678901234567, "stop": odd[:2], "a<b": map[string]any{"z": 1e3, "a": nil}}
	for _, def := range []Definition{criterion(t, odd...), choice, score} {
		for _, text := range odd {
			j := judgeOf(t, def, newDesk(t, nil))
			planned, err := j.Calls(context.Background(), answered(text, text))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range planned {
				shape := p.Shape
				shape.Canonical = false
				if key, err := paid.Key(shape); err != nil || key != p.Key {
					t.Errorf("%q: the key of the body %s is %s, of its canonical form %s (%v)", text, shape.Body, p.Key, key, err)
				}
			}
		}
	}
}

func TestCallsThatWereAskedAgainAreAmongThoseAsked(t *testing.T) {
	t.Parallel()
	def := criterion(t, "Is right.", "Is kind.")
	d := newDesk(t, func(a asked) gateway.Reply {
		if a.turns == 2 && strings.Contains(a.system, "Is kind.") {
			return gateway.Reply{Text: "no form at all"}
		}
		return says(a, "verdict", "pass")
	})
	j, s := judgeOf(t, def, d), answered("q", "x")
	if got := j.Score(context.Background(), s); got.Verdict != newel.Pass || len(got.Calls) != 3 {
		t.Fatalf("%+v", got)
	}
	listed, err := j.Asked(context.Background(), s, func(key newel.Hash) []byte { return d.replies[key] })
	if err != nil || len(listed) != 3 {
		t.Fatalf("%d calls, %v", len(listed), err)
	}
	for i, turns := range []int{2, 2, 4} {
		p := listed[i]
		if d.replies[p.Key] == nil || p.Repair != (turns == 4) || len(p.Turns()) != turns || p.Turns()[0].Role != "system" {
			t.Errorf("call %d: repair %v, %d turns", i, p.Repair, len(p.Turns()))
		}
	}
	if got := listed[2].Turns()[2]; got.Role != "assistant" || got.Text != "no form at all" {
		t.Errorf("the repair quotes %+v", got)
	}
	none, err := j.Asked(context.Background(), s, func(newel.Hash) []byte { return nil })
	if err != nil || len(none) != 2 {
		t.Errorf("without replies %d calls, %v", len(none), err)
	}
}
