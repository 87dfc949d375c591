package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"newel"
	"newel/pack"
)

// Scan reads a run's items with their results, in plan order, a chunk at a
// time. Without texts, explanations and evidence are passed over. What yield
// gets is good until it returns.
func Scan(ctx context.Context, store newel.Store, run *newel.Run, texts bool, yield func(*newel.ItemRows) error) error {
	chunks, err := store.Chunks(ctx, run.ID)
	if err != nil {
		return err
	}
	var s scanner
	for _, info := range chunks {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := s.chunk(ctx, store, run, info, texts, yield); err != nil {
			return fmt.Errorf("read chunk %d of run %s: %w", info.N, run.ID, err)
		}
	}
	return nil
}

// scanner keeps memory between chunks.
type scanner struct {
	record pack.Record
	item   newel.ItemRows
}

func (s *scanner) chunk(ctx context.Context, store newel.Store, run *newel.Run, info newel.ChunkInfo, texts bool, yield func(*newel.ItemRows) error) error {
	_, index, err := store.Chunk(ctx, run.ID, info.N)
	if err != nil {
		return err
	}
	chunk, err := pack.ReadChunk(index)
	if err != nil {
		return err
	}
	records, err := store.Records(ctx, run.ID, info.N)
	if err != nil {
		return err
	}
	for offset := range chunk.Entries {
		s.fill(chunk, info.First, offset)
		if len(records) > 0 && records[0].Offset == offset {
			if err := pack.ReadRecord(records[0].Data, run.Plan.Scorers, texts, &s.record); err != nil {
				return fmt.Errorf("item %d: %w", s.item.N, err)
			}
			s.item.Done, s.item.Scored, s.item.Results = true, s.record.Scored, s.record.Results
			records = records[1:]
		}
		if run.Plan.Asks {
			if err := s.fetched(ctx, store, run.ID); err != nil {
				return err
			}
		}
		if err := yield(&s.item); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) fill(chunk *pack.Chunk, first, offset int) {
	e := &chunk.Entries[offset]
	about := &chunk.About[e.CaseIndex]
	s.item = newel.ItemRows{
		N: first + offset, Case: about.ID, Matrix: e.Matrix, Trial: e.Trial,
		Dims: newel.MergeDims(about.Dims, e.Matrix), Tags: about.Tags, Labels: about.Labels, Raters: about.Raters,
		Cluster: about.Cluster, Run: about.Run, Quarantined: e.Quarantined, Applies: e.Applies,
	}
}

// fetched adds what a target answered.
func (s *scanner) fetched(ctx context.Context, store newel.Store, run string) error {
	data, err := store.OutputOf(ctx, run, s.item.N)
	if errors.Is(err, newel.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var answer newel.Fetched
	if err := json.Unmarshal(data, &answer); err != nil {
		return fmt.Errorf("stored answer of item %d: %w", s.item.N, err)
	}
	s.item.Fetched = &answer
	if answer.Run != nil {
		s.item.Run = answer.Run
	}
	return nil
}
