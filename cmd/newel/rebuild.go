package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"newel"
	"newel/judge"
	"newel/pack"
	"newel/paid"
	"newel/suite"
)

// rebuilt is a stored run's judges, by rubric, which write their calls again and
// ask nobody.
type rebuilt struct {
	suite  *suite.Suite
	judges map[string]*judge.Judge
}

// rebuiltCall is one call as its run asked it.
type rebuiltCall struct {
	key   newel.Hash
	shape paid.Shape
}

// rebuild writes again what a row's judge was asked.
func (w *anew) rebuild(ctx context.Context, row *judgedRow) ([]rebuiltCall, error) {
	j, s, err := w.judgeAndSubject(ctx, row)
	if err != nil {
		return nil, err
	}
	planned, err := j.Calls(ctx, s)
	if err != nil {
		return nil, err
	}
	out := make([]rebuiltCall, len(planned))
	for i, p := range planned {
		out[i] = rebuiltCall{p.Key, p.Shape}
	}
	return out, nil
}

// judgeAndSubject are the judge of a row and what it had before it.
func (w *anew) judgeAndSubject(ctx context.Context, row *judgedRow) (*judge.Judge, *newel.Subject, error) {
	of, err := w.judgesOf(row.run)
	if err != nil {
		return nil, nil, err
	}
	j := of.judges[row.rubric]
	if j == nil {
		return nil, nil, fmt.Errorf("rubric %q asks nobody", row.rubric)
	}
	s, err := subjectIn(ctx, w.store, row.run, row.n)
	return j, s, err
}

// judgesOf compiles a stored suite, once a run.
func (w *anew) judgesOf(run *newel.Run) (*rebuilt, error) {
	if of := w.from[run.ID]; of != nil {
		return of, nil
	}
	s, err := w.app.restoreSuite(run, false)
	if err != nil {
		return nil, err
	}
	sel, err := selectionOf(run)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	judging, err := w.app.recorded(w.store, run, s, sel.Rubrics)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	program, err := judging.program(sel.Rubrics)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	of := &rebuilt{s, map[string]*judge.Judge{}}
	for _, r := range program.Rubrics {
		if j, ok := r.Judge.(*judge.Judge); ok {
			of.judges[r.Name] = j
		}
	}
	w.from[run.ID] = of
	return of, nil
}

func (w *anew) close() {
	for _, of := range w.from {
		of.suite.Close()
	}
}

// subjectIn reads item n of a run as its judges saw it.
func subjectIn(ctx context.Context, store newel.Store, run *newel.Run, n int) (*newel.Subject, error) {
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(chunks, func(c newel.ChunkInfo) bool { return n >= c.First && n < c.First+c.Items })
	if at < 0 {
		return nil, fmt.Errorf("item %d is in no chunk", n)
	}
	_, index, err := store.Chunk(ctx, run.ID, chunks[at].N)
	if err != nil {
		return nil, err
	}
	chunk, err := pack.ReadChunk(index)
	if err != nil {
		return nil, err
	}
	bodies, err := store.Bodies(ctx, run.ID, chunks[at].N)
	if err != nil {
		return nil, err
	}
	batch, err := chunk.Batch(chunks[at].First, bodies)
	if err != nil {
		return nil, err
	}
	s := newel.NewSubject(batch.Items[n-chunks[at].First])
	return s, attach(ctx, store, run, n, s)
}

// attach adds what a target answered.
func attach(ctx context.Context, store newel.Store, run *newel.Run, n int, s *newel.Subject) error {
	if !run.Plan.Asks {
		return nil
	}
	data, err := store.OutputOf(ctx, run.ID, n)
	if errors.Is(err, newel.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var answer newel.Fetched
	if err := json.Unmarshal(data, &answer); err != nil || answer.Err != nil {
		return err
	}
	return s.Attach(&answer)
}

// differing says in which parts of its key a call differs from an earlier one.
// Another case says that what is judged is another one.
func differing(was, is paid.Shape, another bool) []string {
	var out []string
	note := func(differs bool, format string, args ...any) {
		if differs {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	note(was.Gateway != is.Gateway, "the gateway's name: %q there, %q here", was.Gateway, is.Gateway)
	prompt, form := was.Prompt != is.Prompt, !bytes.Equal(was.Schema, is.Schema)
	a, b := membersOf(was.Body), membersOf(is.Body)
	note(!bytes.Equal(a["model"], b["model"]), "the model: %s there, %s here", a["model"], b["model"])
	note(prompt, "the prompt")
	note(form, "what the answer must look like")
	note(another, "what is judged: the case, its output or its context")
	note(was.Trial != is.Trial, "the trial: %d there, %d here", was.Trial, is.Trial)
	note(was.Vote != is.Vote, "the vote: number %d there, %d here", was.Vote+1, is.Vote+1)
	text := !bytes.Equal(a["messages"], b["messages"]) || !bytes.Equal(a["system"], b["system"])
	note(text && !prompt && !form && !another, "what the prompt is filled with, such as the criterion")
	for _, name := range parameters(a, b, form) {
		note(true, "%s: %s there, %s here", name, memberText(a[name]), memberText(b[name]))
	}
	return out
}

// membersOf are the members of a body; none of what is no object.
func membersOf(body newel.Raw) map[string]newel.Raw {
	var out map[string]newel.Raw
	_ = json.Unmarshal(body, &out)
	return out
}

// parameters lists the members of two bodies that differ, besides the texts. The
// form of the answer is left out where it is told already.
func parameters(a, b map[string]newel.Raw, form bool) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch name {
		case "model", "messages", "system":
			continue
		case "response_format", "output_config", "tools", "tool_choice":
			if form {
				continue
			}
		}
		if !bytes.Equal(a[name], b[name]) {
			out = append(out, name)
		}
	}
	return out
}

// longestMember is how much of a member is quoted, in bytes.
const longestMember = 60

func memberText(raw newel.Raw) string {
	switch {
	case raw == nil:
		return "nothing"
	case len(raw) > longestMember:
		return "another of " + strconv.Itoa(len(raw)) + " bytes"
	}
	return string(raw)
}
