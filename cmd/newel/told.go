package main

import (
	"context"
	"encoding/json"
	"errors"

	"newel"
	"newel/eval"
	"newel/judge"
)

// exchanges writes into the calls of rows what was asked, rendered again from the
// stored suite, and what came back, from the journal. Nobody is asked.
func (w *anew) exchanges(ctx context.Context, rows []newel.Row) error {
	wanted := map[rowID]bool{}
	for i := range rows {
		if len(rows[i].Calls) > 0 {
			wanted[keyOfRow(&rows[i])] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	judged, err := w.judged(ctx, w.run, wanted)
	if err != nil {
		return err
	}
	for i := range rows {
		if of := judged[keyOfRow(&rows[i])]; of != nil {
			if err := w.tellExchanges(ctx, &rows[i], of); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *anew) tellExchanges(ctx context.Context, row *newel.Row, of *judgedRow) error {
	replies := map[newel.Hash][]byte{}
	for _, e := range of.entries {
		replies[e.Key] = e.Reply
	}
	prompts, missing, err := w.prompts(ctx, of, replies)
	if err != nil {
		return err
	}
	for i, raw := range row.Calls {
		var call newel.ToldCall
		if err := json.Unmarshal(raw, &call); err != nil {
			return err
		}
		if call.Prompt, call.PromptMissing = prompts[call.Key], missing; call.Prompt == nil && missing == "" {
			call.PromptMissing = "this version writes another prompt for the case"
		}
		if call.Reply, err = judge.ReplyText(replies[call.Key]); err != nil {
			return err
		}
		if row.Calls[i], err = json.Marshal(&call); err != nil {
			return err
		}
	}
	return nil
}

// prompts writes a row's prompts again, by call key; or says why it cannot.
func (w *anew) prompts(ctx context.Context, of *judgedRow, replies map[newel.Hash][]byte) (map[newel.Hash][]newel.Turn, string, error) {
	planned, err := w.asked(ctx, of, replies)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, "", err
	case err != nil:
		return nil, err.Error(), nil
	}
	out := map[newel.Hash][]newel.Turn{}
	for i := range planned {
		out[planned[i].Key] = planned[i].Turns()
	}
	return out, "", nil
}

func (w *anew) asked(ctx context.Context, row *judgedRow, replies map[newel.Hash][]byte) ([]judge.Planned, error) {
	j, s, err := w.judgeAndSubject(ctx, row)
	if err != nil {
		return nil, err
	}
	return j.Asked(ctx, s, func(key newel.Hash) []byte { return replies[key] })
}

// explainedRow is a row as explain --json tells it.
type explainedRow struct {
	newel.Row
	Scored scoredJSON `json:"scored"`
}

// scoredJSON is what a row's checks and judges had before them.
type scoredJSON struct {
	Input     newel.Raw            `json:"input,omitempty"`
	Output    newel.Raw            `json:"output,omitempty"`
	Outputs   map[string]newel.Raw `json:"outputs,omitempty"`
	Reference newel.Raw            `json:"reference,omitempty"`
	Context   []passageJSON        `json:"context,omitempty"`
}

type passageJSON struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
}

func scoredView(s *eval.Seen) scoredJSON {
	v := scoredJSON{Input: s.Input, Output: s.Output, Reference: s.Reference}
	for _, o := range s.Outputs {
		if v.Outputs == nil {
			v.Outputs = map[string]newel.Raw{}
		}
		v.Outputs[o.Name] = o.Value
	}
	for _, p := range s.Passages {
		v.Context = append(v.Context, passageJSON{p.ID, p.Text})
	}
	return v
}
