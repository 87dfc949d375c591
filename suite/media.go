package suite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
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
