package suite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"newel"
	"newel/eval"
)

// maxMedia is how large a file of a case may be; a larger one needs a url.
const maxMedia = 20 << 20

// checkMedia notes files of a case that are missing, too large or not what
// their hash says, and fills in the hash where it was left out, so that it is
// part of what is scored.
func (s *Suite) checkMedia(at *eval.CaseAt, m *newel.Mistakes) {
	c := at.Case
	for i := range c.Media {
		one := &c.Media[i]
		if one.Path == "" || s.folders == nil {
			continue
		}
		hash, err := s.mediaHash(one.Path)
		switch {
		case err != nil:
			m.Add(at.Place("media", strconv.Itoa(i)), "case %q: media: %v", c.ID, err)
		case one.SHA256 == "":
			one.SHA256 = hash
		case !strings.EqualFold(one.SHA256, hash):
			m.Add(at.Place("media", strconv.Itoa(i)), "case %q: media: %q is another file than its sha256 says (it has %s)", c.ID, one.Path, hash)
		}
	}
}

// mediaHash hashes a file, once for all cases that name it.
func (s *Suite) mediaHash(path string) (string, error) {
	if hash, ok := s.media[path]; ok {
		return hash, nil
	}
	f, err := s.folders.Open(path)
	if err != nil {
		return "", fmt.Errorf("%q: %w", path, err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxMedia+1))
	if err != nil {
		return "", fmt.Errorf("read %q: %w", path, err)
	}
	if n > maxMedia {
		return "", errors.New(path + " has more than 20 MiB: give its url instead")
	}
	hash := fmt.Sprintf("%x", h.Sum(nil))
	if s.media == nil {
		s.media = map[string]string{}
	}
	s.media[path] = hash
	return hash, nil
}

// MediaFiles puts the files of cases that a judge is shown into the store, so
// that whoever scores needs no folder of the suite.
func (s *Suite) MediaFiles(put func(content []byte) error) error {
	shown := slices.ContainsFunc(s.Rubrics, func(r *Rubric) bool { return r.Judge != nil && r.Judge.Def.Media })
	if !shown {
		return nil
	}
	for _, path := range slices.Sorted(maps.Keys(s.media)) {
		content, err := s.mediaContent(path)
		if err == nil {
			err = put(content)
		}
		if err != nil {
			return fmt.Errorf("media: %q: %w", path, err)
		}
	}
	return nil
}

// mediaContent reads a file whose hash is in the plan.
func (s *Suite) mediaContent(path string) ([]byte, error) {
	f, err := s.folders.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxMedia+1))
	if err == nil && newel.HashOf(content).String() != s.media[path] {
		err = errors.New("changed while the run was planned: start again")
	}
	return content, err
}
