package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"newel"
	"newel/eval"
)

// anew says of each call that a run paid for why no reply of an earlier run
// served: it is held against the last earlier run of the suite that judged the
// same item by the same rubric.
type anew struct {
	app   *app
	store newel.Store
	run   *newel.Run
	from  map[string]*rebuilt // by run, as far as they were needed
}

// judgedRow is a row with what its judge was asked.
type judgedRow struct {
	run     *newel.Run
	n       int // the item's number
	rubric  string
	scored  newel.Hash
	entries []newel.Entry
}

// earlierRuns is how many runs before are looked through.
const earlierRuns = 10

// explain fills in Anew of the rows' calls.
func (w *anew) explain(ctx context.Context, rows []newel.Row) error {
	paid, err := paidIn(rows)
	if err != nil || len(paid) == 0 {
		return err
	}
	mine, err := w.judged(ctx, w.run, paid)
	if err != nil {
		return err
	}
	before, err := w.before(ctx, paid)
	if err != nil {
		return err
	}
	for i := range rows {
		key := keyOfRow(&rows[i])
		if was, is := before[key], mine[key]; was != nil && is != nil {
			if err := w.tell(ctx, &rows[i], was, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowID tells rows apart: an item as reports show its id, and a rubric.
type rowID struct{ item, rubric string }

func keyOfRow(r *newel.Row) rowID { return rowID{r.Item, r.Rubric} }

// paidIn lists the rows with a call that their run paid for.
func paidIn(rows []newel.Row) (map[rowID]bool, error) {
	out := map[rowID]bool{}
	for i := range rows {
		for _, raw := range rows[i].Calls {
			var call newel.Call
			if err := json.Unmarshal(raw, &call); err != nil {
				return nil, err
			}
			if call.Reused == nil {
				out[keyOfRow(&rows[i])] = true
			}
		}
	}
	return out, nil
}

// before finds for each row the last earlier run that judged it.
func (w *anew) before(ctx context.Context, wanted map[rowID]bool) (map[rowID]*judgedRow, error) {
	out, left := map[rowID]*judgedRow{}, maps.Clone(wanted)
	list, err := w.store.ListRuns(ctx, newel.RunQuery{Suite: w.run.Suite})
	if err != nil {
		return nil, err
	}
	looked := 0
	for _, r := range list {
		if r.ID == w.run.ID || !r.Created.Before(w.run.Created) {
			continue
		}
		if looked++; looked > earlierRuns || len(left) == 0 {
			break
		}
		run, err := w.store.Run(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		got, err := w.judged(ctx, run, left)
		if err != nil {
			return nil, err
		}
		for key, row := range got {
			out[key] = row
			delete(left, key)
		}
	}
	return out, nil
}

// judged reads what the judges of a run's rows were asked. Rows whose judge was
// not are left out.
func (w *anew) judged(ctx context.Context, run *newel.Run, wanted map[rowID]bool) (map[rowID]*judgedRow, error) {
	out := map[rowID]*judgedRow{}
	items := map[string]bool{}
	for key := range wanted {
		items[key.item] = true
	}
	err := eval.Scan(ctx, w.store, run, false, func(it *newel.ItemRows) error {
		id := newel.ItemIDOf(it.Case, it.Matrix, it.Trial)
		name := hex.EncodeToString(id[:])
		if !items[name] {
			return nil
		}
		for i := range it.Results {
			res := &it.Results[i]
			key := rowID{name, run.Plan.Rubrics[res.Rubric]}
			if !wanted[key] {
				continue
			}
			var refs []newel.CallRef
			res.EachCall(func(ref newel.CallRef) { refs = append(refs, ref) })
			if len(refs) == 0 {
				continue
			}
			entries, err := w.store.Entries(ctx, run.ID, refs)
			if err != nil {
				return err
			}
			out[key] = &judgedRow{run, it.N, key.rubric, it.Scored, entries}
		}
		return nil
	})
	return out, err
}

// tell writes into a row's calls why each was paid for.
func (w *anew) tell(ctx context.Context, row *newel.Row, was, is *judgedRow) error {
	for i, raw := range row.Calls {
		var call newel.Call
		if err := json.Unmarshal(raw, &call); err != nil {
			return err
		}
		if call.Reused != nil {
			continue
		}
		why, err := w.why(ctx, call.Key, was, is)
		if err != nil {
			return err
		}
		call.Anew = &newel.Anew{Run: was.run.ID, Why: why}
		if row.Calls[i], err = json.Marshal(&call); err != nil {
			return err
		}
	}
	return nil
}

// why lists the reasons why a call was paid for though an earlier run judged the
// same.
func (w *anew) why(ctx context.Context, key newel.Hash, was, is *judgedRow) ([]string, error) {
	var why []string
	reuse := w.run.Plan.Reuse
	if reuse.IsZero() {
		why = append(why, w.noReuse())
	}
	same := slices.IndexFunc(was.entries, func(e newel.Entry) bool { return e.Key == key })
	if same >= 0 {
		if text := unfit(&was.entries[same], reuse); text != "" {
			why = append(why, text)
		}
		if len(why) == 0 {
			why = append(why, "the journal did not have its reply when this run asked")
		}
		return why, nil
	}
	differ, err := w.differences(ctx, key, was, is)
	return append(why, differ...), err
}

// noReuse says why a run uses no replies of others.
func (w *anew) noReuse() string {
	s, err := w.app.restoreSuite(w.run, false)
	if err != nil {
		return "this run used no replies of other runs"
	}
	defer s.Close()
	switch {
	case s.Cache > 0:
		return "this run was told --no-cache"
	case s.CacheWritten():
		return "its suite says cache: 0, so each run pays anew"
	}
	return "its suite does not write cache, so each run pays anew: write cache: 30d"
}

// unfit says why an entry with the same key does not serve; empty: it does.
func unfit(e *newel.Entry, reuse newel.Window) string {
	const layout = "2006-01-02 15:04:05 UTC"
	switch {
	case e.Fault:
		return "its call failed there, and failures are not used again"
	case !e.Good:
		return "its reply there could not be read, and such are not used again"
	case reuse.IsZero():
		return ""
	case e.At.Before(reuse.From):
		return fmt.Sprintf("its reply is of %s and too old: cache reaches back to %s", e.At.UTC().Format(layout), reuse.From.UTC().Format(layout))
	case e.At.After(reuse.To):
		return fmt.Sprintf("its reply came on %s, after this run was planned", e.At.UTC().Format(layout))
	}
	return ""
}

// differences compares what the call's key is made of with the call of the
// earlier row that is most like it.
func (w *anew) differences(ctx context.Context, key newel.Hash, was, is *judgedRow) ([]string, error) {
	here, err := w.rebuild(ctx, is)
	if err != nil {
		return uncompared(is.run, err)
	}
	there, err := w.rebuild(ctx, was)
	if err != nil {
		return uncompared(was.run, err)
	}
	at := slices.IndexFunc(here, func(c rebuiltCall) bool { return c.key == key })
	if at < 0 {
		return []string{"it asks again after a reply that could not be read, which is quoted in it"}, nil
	}
	var least []string
	for _, c := range there {
		list := differing(c.shape, here[at].shape, was.scored != is.scored)
		if least == nil || len(list) < len(least) {
			least = list
		}
	}
	if len(least) == 0 {
		least = []string{"that run asked nothing that is like it"}
	}
	return least, nil
}

// uncompared stands where a run's calls cannot be written again.
func uncompared(run *newel.Run, err error) ([]string, error) {
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	return []string{fmt.Sprintf("its key is another, but what run %s asked cannot be written again: %v", run.ID, err)}, nil
}
