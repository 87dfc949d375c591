package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"newel"
)

// PutFile stores a file by its content. Pictures and sound are compressed by
// themselves: they are kept as they are.
func (s *Store) PutFile(ctx context.Context, content []byte) (newel.Hash, error) {
	hash := newel.HashOf(content)
	if content == nil {
		content = []byte{} // nil would be NULL
	}
	err := s.writer.do(ctx, func(t *tx) error {
		return t.exec("INSERT OR IGNORE INTO files (hash, content) VALUES (?, ?)", hash[:], content)
	})
	return hash, s.fail("put file", err)
}

// File returns a file by its hash.
func (s *Store) File(ctx context.Context, hash newel.Hash) ([]byte, error) {
	var content []byte
	err := s.reads.row(ctx, "SELECT content FROM files WHERE hash = ?", []any{hash[:]}, &content)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = fmt.Errorf("file %s %w", hash, newel.ErrNotFound)
	case err == nil && newel.HashOf(content) != hash:
		err = fmt.Errorf("file %s is damaged", hash)
	}
	if err != nil {
		return nil, s.fail("read file", err)
	}
	return content, nil
}
