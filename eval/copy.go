package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"newel"
	"newel/pack"
)

// CopyRun copies a sealed run with everything that belongs to it into another
// store, whole or not at all: what a copy that was killed left behind is done
// again. ErrExists if the store has a run of that id.
func CopyRun(ctx context.Context, from, to newel.Store, run *newel.Run) error {
	if run.State != newel.Sealed {
		return fmt.Errorf("run %s is %s: only a sealed run can be copied", run.ID, run.State)
	}
	copied := *run
	copied.State = newel.Planned
	copied.Plan.Digest = newel.Hash{} // complete once all chunks are there
	release, err := to.HoldRun(ctx, run.ID)
	if err != nil {
		return err
	}
	defer release()
	err = to.CreateRun(ctx, &copied)
	if errors.Is(err, newel.ErrExists) && leftBehind(ctx, to, run) {
		if err = to.EraseRun(ctx, run.ID); err == nil {
			err = to.CreateRun(ctx, &copied)
		}
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", run.ID, err)
	}
	if err := copyAll(ctx, from, to, run); err != nil {
		return errors.Join(err, to.EraseRun(context.WithoutCancel(ctx), run.ID))
	}
	return nil
}

// leftBehind reports whether a store has the beginning of a copy of a sealed
// run: the same run, not sealed.
func leftBehind(ctx context.Context, store newel.Store, run *newel.Run) bool {
	have, err := store.Run(ctx, run.ID)
	return err == nil && have.State != newel.Sealed && have.Created.Equal(run.Created) && have.Plan.SuiteDigest == run.Plan.SuiteDigest &&
		have.Version == run.Version && bytes.Equal(have.Definition, run.Definition)
}

func copyAll(ctx context.Context, from, to newel.Store, run *newel.Run) error {
	chunks, err := from.Chunks(ctx, run.ID)
	if err != nil {
		return err
	}
	for _, info := range chunks {
		if err := copyChunk(ctx, from, to, run, info); err != nil {
			return fmt.Errorf("copy chunk %d: %w", info.N, err)
		}
	}
	if err := copyPaid(ctx, from, to, run.ID); err != nil {
		return err
	}
	if err := to.SetState(ctx, run.ID, newel.Running, newel.Planned); err != nil {
		return err
	}
	if err := to.FinishPlan(ctx, run.ID, run.Plan); err != nil {
		return err
	}
	_, err = to.SealRun(ctx, run.ID, run.Digest, run.Summary)
	return err
}

func copyChunk(ctx context.Context, from, to newel.Store, run *newel.Run, info newel.ChunkInfo) error {
	id := run.ID
	_, index, err := from.Chunk(ctx, id, info.N)
	if err != nil {
		return err
	}
	bodies, err := from.Bodies(ctx, id, info.N)
	if err != nil {
		return err
	}
	items := info.Items
	info.Tally = newel.Tally{}
	if err := to.PutChunk(ctx, id, info, index, bodies); err != nil {
		return err
	}
	for item := info.First; item < info.First+items; item++ {
		answer, err := from.OutputOf(ctx, id, item)
		if errors.Is(err, newel.ErrNotFound) {
			continue
		}
		if err == nil {
			_, err = to.PutOutput(ctx, id, item, answer)
		}
		if err != nil {
			return err
		}
	}
	records, err := from.Records(ctx, id, info.N)
	if err != nil {
		return err
	}
	if err := copyReused(ctx, from, to, run, records); err != nil {
		return err
	}
	_, err = to.Commit(ctx, id, info.N, records)
	return err
}

// copyReused copies the replies of other runs that rows were read from.
func copyReused(ctx context.Context, from, to newel.Store, run *newel.Run, records []newel.Packed) error {
	var refs []newel.CallRef
	var rec pack.Record
	for i := range records {
		if err := pack.ReadRecord(records[i].Data, run.Plan.Scorers, false, &rec); err != nil {
			return err
		}
		for k := range rec.Results {
			rec.Results[k].EachCall(func(ref newel.CallRef) {
				if ref.Reused() {
					refs = append(refs, ref)
				}
			})
		}
	}
	if refs == nil {
		return nil
	}
	entries, err := from.Entries(ctx, run.ID, refs)
	if err != nil {
		return err
	}
	return to.PutEntries(ctx, entries)
}

// entriesAtOnce is how many replies are copied in one step.
const entriesAtOnce = 256

// copyPaid copies the replies that the run itself paid for.
func copyPaid(ctx context.Context, from, to newel.Store, id string) error {
	var list []newel.Entry
	for e, err := range from.Paid(ctx, id) {
		if err != nil {
			return err
		}
		if list = append(list, e); len(list) < entriesAtOnce {
			continue
		}
		if err := to.PutEntries(ctx, list); err != nil {
			return err
		}
		list = list[:0]
	}
	return to.PutEntries(ctx, list)
}
