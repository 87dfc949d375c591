package memory

import (
	"bytes"
	"context"
	"fmt"

	"newel"
)

// PutFile stores a file by its content.
func (s *Store) PutFile(_ context.Context, content []byte) (newel.Hash, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := newel.HashOf(content)
	if s.files == nil {
		s.files = map[newel.Hash][]byte{}
	}
	s.files[hash] = bytes.Clone(content)
	return hash, nil
}

// File returns a file by its hash.
func (s *Store) File(_ context.Context, hash newel.Hash) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.files[hash]
	if !ok {
		return nil, fmt.Errorf("file %s %w", hash, newel.ErrNotFound)
	}
	return bytes.Clone(content), nil
}
