package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"newel"
)

// PutChunk stores a chunk.
func (s *Store) PutChunk(ctx context.Context, id string, info newel.ChunkInfo, index, bodies []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil {
		return err
	}
	have, ok := r.chunks[info.N]
	switch {
	case ok && have.Hash == info.Hash && have.Bodies == info.Bodies && have.First == info.First && have.Items == info.Items:
		return nil
	case ok:
		return fmt.Errorf("chunk %d of run %q is another one: %w", info.N, id, newel.ErrConflict)
	case r.State == newel.Sealed:
		return fmt.Errorf("run %q is %w", id, newel.ErrSealed)
	case !r.Plan.Digest.IsZero():
		return fmt.Errorf("chunk %d is not in the plan of run %q: %w", info.N, id, newel.ErrConflict)
	case info.N < 0 || info.First < 0 || info.Items < 0:
		return fmt.Errorf("chunk %d of run %q: %d items from %d", info.N, id, info.Items, info.First)
	}
	info.Tally = newel.Tally{}
	r.chunks[info.N] = &chunk{info, newel.NewBitmap(info.Items), map[int]newel.Packed{}}
	s.put(info.Hash, index)
	s.put(info.Bodies, bodies)
	return nil
}

func (s *Store) put(hash newel.Hash, content []byte) {
	if _, ok := s.blobs[hash]; !ok && !hash.IsZero() {
		s.blobs[hash] = bytes.Clone(content)
	}
}

// Chunks returns what is known of a run's chunks, in order.
func (s *Store) Chunks(ctx context.Context, id string) ([]newel.ChunkInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []newel.ChunkInfo
	for _, c := range r.chunks {
		out = append(out, c.ChunkInfo)
	}
	slices.SortFunc(out, func(a, b newel.ChunkInfo) int { return cmp.Compare(a.N, b.N) })
	return out, nil
}

func (s *Store) chunk(ctx context.Context, id string, n int) (*run, *chunk, error) {
	r, err := s.run(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if c, ok := r.chunks[n]; ok {
		return r, c, nil
	}
	return nil, nil, fmt.Errorf("chunk %d of run %q %w", n, id, newel.ErrNotFound)
}

// Chunk returns a chunk with its index.
func (s *Store) Chunk(ctx context.Context, id string, n int) (newel.ChunkInfo, []byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, c, err := s.chunk(ctx, id, n)
	if err != nil {
		return newel.ChunkInfo{}, nil, err
	}
	index, err := s.content(c.Hash)
	if err != nil {
		return newel.ChunkInfo{}, nil, fmt.Errorf("chunk %d of run %q: %w", n, id, err)
	}
	return c.ChunkInfo, index, nil
}

// Bodies returns the bodies of a chunk's cases.
func (s *Store) Bodies(ctx context.Context, id string, n int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, c, err := s.chunk(ctx, id, n)
	if err != nil || c.ChunkInfo.Bodies.IsZero() {
		return nil, err
	}
	bodies, err := s.content(c.ChunkInfo.Bodies)
	if err != nil {
		return nil, fmt.Errorf("bodies of chunk %d of run %q: %w", n, id, err)
	}
	return bodies, nil
}

func (s *Store) content(hash newel.Hash) ([]byte, error) {
	content := bytes.Clone(s.blobs[hash])
	if newel.HashOf(content) != hash {
		return nil, errors.New("another content than its hash says")
	}
	return content, nil
}

// Commit stores records of items that have none.
func (s *Store) Commit(ctx context.Context, id string, n int, records []newel.Packed) (kept int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, c, err := s.chunk(ctx, id, n)
	if err != nil {
		return 0, err
	}
	if r.State == newel.Sealed {
		return 0, fmt.Errorf("run %q is %w", id, newel.ErrSealed)
	}
	for _, p := range records {
		if p.Offset < 0 || p.Offset >= c.Items || p.Verdict < newel.Pass || p.Verdict > newel.Failed {
			return 0, fmt.Errorf("chunk %d of run %q, %d items: a record with offset %d and verdict %v", n, id, c.Items, p.Offset, p.Verdict)
		}
	}
	for _, p := range records {
		if !c.done.Has(p.Offset) {
			c.done.Set(p.Offset)
			c.Tally.Add(p.Verdict)
			p.Data = bytes.Clone(p.Data)
			c.records[p.Offset] = p
			kept++
		}
	}
	return kept, nil
}

// Records returns the records of a chunk in order of offset.
func (s *Store) Records(ctx context.Context, id string, n int) ([]newel.Packed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, c, err := s.chunk(ctx, id, n)
	if err != nil {
		return nil, err
	}
	var out []newel.Packed
	for _, p := range c.records {
		p.Data = bytes.Clone(p.Data)
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b newel.Packed) int { return cmp.Compare(a.Offset, b.Offset) })
	return out, nil
}

// Done returns which items of a chunk have their record.
func (s *Store) Done(ctx context.Context, id string, n int) (newel.Bitmap, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, c, err := s.chunk(ctx, id, n)
	if err != nil {
		return nil, err
	}
	return slices.Clone(c.done), nil
}

// PutOutput stores an answer unless the item has one.
func (s *Store) PutOutput(ctx context.Context, id string, item int, answer []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil {
		return nil, err
	}
	have, ok := r.outputs[item]
	if !ok {
		if r.State == newel.Sealed {
			return nil, fmt.Errorf("run %q is %w", id, newel.ErrSealed)
		}
		have = bytes.Clone(answer)
		r.outputs[item] = have
	}
	return bytes.Clone(have), nil
}

// OutputOf returns the stored answer.
func (s *Store) OutputOf(ctx context.Context, id string, item int) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.run(ctx, id)
	if err != nil {
		return nil, err
	}
	if have, ok := r.outputs[item]; ok {
		return bytes.Clone(have), nil
	}
	return nil, fmt.Errorf("output of item %d of run %q %w", item, id, newel.ErrNotFound)
}
