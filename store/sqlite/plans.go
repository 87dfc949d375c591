package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"newel"
)

// maxItems bounds the items of a chunk, which its done-bitmap holds.
const maxItems = 1 << 24

// PutChunk stores a chunk, its contents only where no run has them yet. That
// they have their hashes is for the caller to know; Chunk and Bodies check it.
func (s *Store) PutChunk(ctx context.Context, run string, info newel.ChunkInfo, index, bodies []byte) error {
	if info.N < 0 || info.First < 0 || info.Items < 0 || info.Items > maxItems {
		return fmt.Errorf("chunk %d of run %q: %d items from %d", info.N, run, info.Items, info.First)
	}
	parts := []*part{{hash: info.Hash, content: index}}
	if !info.Bodies.IsZero() {
		parts = append(parts, &part{hash: info.Bodies, content: bodies})
	}
	for _, p := range parts {
		var err error
		if p.packed, err = s.packNew(ctx, p.hash, p.content); err != nil {
			return s.fail("put chunk", err)
		}
	}
	return s.fail("put chunk", s.writer.alone(ctx, func(t *tx) error {
		r, known, err := t.chunkToPut(run, info)
		if err != nil || known {
			return err
		}
		for _, p := range parts {
			if err := t.putPart(s.codec, p); err != nil {
				return err
			}
		}
		return t.exec(`INSERT INTO chunks (run, n, hash, bodies, first, items, segments, n_done, pass, fail, unjudged, error, done)
			VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?)`,
			r.key, info.N, info.Hash[:], info.Bodies[:], info.First, info.Items, []byte(newel.NewBitmap(info.Items)))
	}))
}

// part is one of a chunk's two contents on its way into the store.
type part struct {
	hash    newel.Hash
	content []byte
	packed  []byte // nil: stored already
}

func (t *tx) putPart(c codec, p *part) error {
	if p.packed == nil && !t.hasBlob(p.hash) {
		p.packed = c.pack(p.content) // erased since packNew looked
	}
	if p.packed == nil {
		return nil
	}
	return t.exec("INSERT OR IGNORE INTO blobs (hash, content) VALUES (?, ?)", p.hash[:], p.packed)
}

// packNew returns nil for content that is stored already. It compresses ahead
// of the transaction, so that several chunks are compressed at a time.
func (s *Store) packNew(ctx context.Context, hash newel.Hash, content []byte) ([]byte, error) {
	var one int
	err := s.reads.row(ctx, "SELECT 1 FROM blobs WHERE hash = ?", []any{hash[:]}, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return s.codec.pack(content), nil
	}
	return nil, err
}

func (t *tx) hasBlob(hash newel.Hash) bool {
	var one int
	return t.row("SELECT 1 FROM blobs WHERE hash = ?", []any{hash[:]}, &one) == nil
}

// chunkToPut says whether the run has this very chunk.
func (t *tx) chunkToPut(run string, info newel.ChunkInfo) (r runRow, known bool, err error) {
	if r, err = t.run(run); err != nil {
		return r, false, err
	}
	var hash, bodies []byte
	var first, items int
	err = t.row("SELECT hash, bodies, first, items FROM chunks WHERE run = ? AND n = ?", []any{r.key, info.N}, &hash, &bodies, &first, &items)
	switch {
	case err == nil:
		known = bytes.Equal(hash, info.Hash[:]) && bytes.Equal(bodies, info.Bodies[:]) && first == info.First && items == info.Items
		if !known {
			err = fmt.Errorf("chunk %d of run %q is another one: %w", info.N, run, newel.ErrConflict)
		}
	case !errors.Is(err, sql.ErrNoRows):
	case r.state == newel.Sealed:
		err = fmt.Errorf("run %q is %w", run, newel.ErrSealed)
	case r.planned:
		err = fmt.Errorf("chunk %d is not in the plan of run %q: %w", info.N, run, newel.ErrConflict)
	default:
		err = nil
	}
	return r, known, err
}

const chunkColumns = "c.n, c.hash, c.bodies, c.first, c.items, c.n_done, c.pass, c.fail, c.unjudged, c.error"

// Chunks returns what is known of a run's chunks, in order.
func (s *Store) Chunks(ctx context.Context, run string) ([]newel.ChunkInfo, error) {
	key, err := s.key(ctx, run)
	if err != nil {
		return nil, s.fail("read chunks", err)
	}
	var chunks []newel.ChunkInfo
	query := "SELECT " + chunkColumns + " FROM chunks c WHERE c.run = ? ORDER BY c.n"
	err = s.reads.each(ctx, query, []any{key}, func(rows *sql.Rows) error {
		c, err := scanChunk(rows)
		chunks = append(chunks, c)
		return err
	})
	return chunks, s.fail("read chunks", err)
}

// scanChunk reads chunkColumns, then what more is asked for.
func scanChunk(rows *sql.Rows, more ...any) (c newel.ChunkInfo, err error) {
	var hash, bodies sql.RawBytes
	t := &c.Tally
	dst := []any{&c.N, &hash, &bodies, &c.First, &c.Items, &t.Done, &t.Pass, &t.Fail, &t.Unjudged, &t.Error}
	err = rows.Scan(append(dst, more...)...)
	copy(c.Hash[:], hash)
	copy(c.Bodies[:], bodies)
	return c, err
}

// Chunk returns a chunk with its index. ErrDamaged if it is not what was put.
func (s *Store) Chunk(ctx context.Context, run string, n int) (info newel.ChunkInfo, index []byte, err error) {
	info, index, err = s.content(ctx, run, n, "hash", func(i newel.ChunkInfo) newel.Hash { return i.Hash })
	return info, index, s.fail("read chunk", err)
}

// Bodies returns the bodies of a chunk's cases. ErrDamaged if they are not what
// was put.
func (s *Store) Bodies(ctx context.Context, run string, n int) ([]byte, error) {
	_, bodies, err := s.content(ctx, run, n, "bodies", func(i newel.ChunkInfo) newel.Hash { return i.Bodies })
	return bodies, s.fail("read bodies", err)
}

// content reads the content that a column of a chunk names.
func (s *Store) content(ctx context.Context, run string, n int, column string, named func(newel.ChunkInfo) newel.Hash) (info newel.ChunkInfo, content []byte, err error) {
	query := "SELECT " + chunkColumns + `, b.content FROM runs r JOIN chunks c ON c.run = r.key
		LEFT JOIN blobs b ON b.hash = c.` + column + ` WHERE r.id = ? AND c.n = ?`
	var packed []byte
	found := false
	err = s.reads.each(ctx, query, []any{run, n}, func(rows *sql.Rows) error {
		found = true
		info, err = scanChunk(rows, &packed)
		return err
	})
	if err == nil && !found {
		err = noChunk(run, n)
	}
	if err == nil && !named(info).IsZero() {
		content, err = s.codec.unpack(packed)
		if err == nil && newel.HashOf(content) != named(info) {
			err = fmt.Errorf("%w: chunk %d of run %q has another content than its hash says", ErrDamaged, n, run)
		}
	}
	if err != nil {
		return newel.ChunkInfo{}, nil, err
	}
	return info, content, nil
}

// key returns the number under which a run's rows are stored.
func (s *Store) key(ctx context.Context, run string) (key int64, err error) {
	err = s.reads.row(ctx, "SELECT key FROM runs WHERE id = ?", []any{run}, &key)
	if errors.Is(err, sql.ErrNoRows) {
		err = notFound(run)
	}
	return key, err
}

func noChunk(run string, n int) error {
	return fmt.Errorf("chunk %d of run %q %w", n, run, newel.ErrNotFound)
}
