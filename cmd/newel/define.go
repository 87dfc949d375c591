package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"newel"
	"newel/data"
	"newel/eval"
	"newel/expr"
	"newel/suite"
)

// selection narrows a run. It is stored with the run, so that a plan which was
// cut short can be made again.
type selection struct {
	Suite   string   `json:"suite"` // absolute path of the file
	Where   string   `json:"where,omitempty"`
	Limit   int      `json:"limit,omitempty"`
	Rubrics []string `json:"rubrics,omitempty"`
	Outputs string   `json:"outputs,omitempty"` // run to take fetched outputs from
	Roots   []string `json:"roots,omitempty"`
	// Overrides were put in place of keys of the suite's judge, each KEY=VALUE.
	Overrides []string `json:"overrides,omitempty"`
	// Stamp is that of the data's files when the run began: a plan that was cut
	// short is made again only from the same ones.
	Stamp string `json:"stamp,omitempty"`
}

// selectionOf is what a stored run was asked for.
func selectionOf(run *newel.Run) (*selection, error) {
	var sel selection
	return &sel, suite.Origin(run.Definition, &sel)
}

// narrowed is the part of the suite that is taken; nil: the whole.
func (sel *selection) narrowed() *newel.Selection {
	if sel.everyCase() && len(sel.Rubrics) == 0 {
		return nil
	}
	return &newel.Selection{Where: sel.Where, Limit: sel.Limit, Rubrics: sel.Rubrics}
}

func (sel *selection) everyCase() bool { return sel.Where == "" && sel.Limit == 0 }

// check looks at what can be told without the suite.
func (sel *selection) check() error {
	if sel.Limit < 0 {
		return usage("--limit %d: it is at least 1; leave it out for all cases", sel.Limit)
	}
	if sel.Where == "" {
		return nil
	}
	_, err := sel.where()
	return err
}

func (sel *selection) where() (*expr.Program, error) {
	where, err := expr.Compile(sel.Where, expr.CaseScope)
	switch {
	case err != nil:
		return nil, usage("--where: %v", err)
	case !where.MayBeBool():
		return nil, usage("--where: the expression gives %s, not true or false", where.Type())
	}
	return where, nil
}

// define turns a suite into what planning needs.
func (a *app) define(s *suite.Suite, sel selection) (*eval.Definition, error) {
	only, err := rubricFilter(s, sel.Rubrics)
	if err != nil {
		return nil, err
	}
	body, err := s.Marshal(sel)
	if err != nil {
		return nil, err
	}
	def := &eval.Definition{
		Name: s.Name, Dir: filepath.Dir(sel.Suite), Digest: s.Digest, Bytes: body, Scorers: s.Scorers(), Trials: s.Trials, Seed: s.Seed,
		Axes: s.Axes(), Complete: s.Targets != nil || s.Pays(sel.Rubrics), Asks: s.Targets != nil, Limit: sel.Limit, Check: s.CheckCase, Quarantined: s.Quarantined(a.now()),
	}
	for _, r := range s.Rubrics {
		def.Rubrics, def.Rulers = append(def.Rubrics, r.Name), append(def.Rulers, r.Ruler)
		def.Measures = append(def.Measures, r.Measure)
		def.Judged = append(def.Judged, r.Judge != nil)
		def.Classified = append(def.Classified, len(r.Classifiers) > 0)
		def.Audits = append(def.Audits, r.Audit())
	}
	def.Files = s.MediaFiles
	if s.Budget > 0 {
		def.Budget = &s.Budget
	}
	def.Read = func(ctx context.Context, yield func([]eval.CaseAt) error) error {
		return readCases(ctx, s.Sources, yield)
	}
	def.Applies = func(ctx context.Context, it *newel.Item, pos newel.Pos, m *newel.Mistakes) newel.Bitmap {
		applies := s.Applies(ctx, it, pos, m)
		for i := range applies {
			applies[i] &= only[i]
		}
		return applies
	}
	if sel.Where != "" {
		where, err := sel.where()
		if err != nil {
			return nil, err
		}
		def.Select = func(ctx context.Context, s *newel.Subject) (bool, error) {
			ok, err := where.Bool(ctx, s)
			if hint := expr.AskFirst(err); hint != "" {
				err = fmt.Errorf("%w%s", err, hint)
			}
			return ok, err
		}
	}
	return def, nil
}

// idsOf reads a definition's cases once more for their ids: where a plan is
// stored nowhere, ids that may stand twice are looked at so. Mistakes of the
// data were noted the first time.
func idsOf(def *eval.Definition) func(ctx context.Context, yield func(id string)) error {
	return func(ctx context.Context, yield func(id string)) error {
		err := def.Read(ctx, func(list []eval.CaseAt) error {
			for _, at := range list {
				yield(at.Case.ID)
			}
			return nil
		})
		if errors.As(err, new(*newel.Mistakes)) {
			return nil
		}
		return err
	}
}

// rubricFilter is the set of rubrics that take part: all, or those named.
func rubricFilter(s *suite.Suite, names []string) (newel.Bitmap, error) {
	only := newel.NewBitmap(len(s.Rubrics))
	all := make([]string, len(s.Rubrics))
	for i, r := range s.Rubrics {
		all[i] = r.Name
		if len(names) == 0 {
			only.Set(i)
		}
	}
	for _, name := range names {
		found := false
		for i, r := range all {
			if r == name {
				only.Set(i)
				found = true
			}
		}
		if !found {
			return nil, usage("--rubric: the suite has no rubric %q%s", name, newel.DidYouMean(name, all))
		}
	}
	return only, nil
}

func readCases(ctx context.Context, set *data.Set, yield func([]eval.CaseAt) error) error {
	return set.Read(ctx, 0, func(b data.Batch) error {
		list := make([]eval.CaseAt, len(b))
		for i := range b {
			list[i] = eval.CaseAt{Case: b[i].Case, Pos: b[i].Pos, Written: &b[i]}
		}
		return yield(list)
	})
}
