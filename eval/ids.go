package eval

import "github.com/cespare/xxhash/v2"

// maxSuspects is how many ids that may stand twice are looked at before a plan
// is given up.
const maxSuspects = 1000

// idSet remembers ids by 64-bit hash, eight bytes an id and at most half full.
type idSet struct {
	slots []uint64
	used  int
}

func newIDSet() *idSet { return &idSet{slots: make([]uint64, 1<<12)} }

// add returns false when the id's hash was there before.
func (s *idSet) add(id string) bool {
	h := xxhash.Sum64String(id)
	if h == 0 {
		h = 1 // 0 marks a free slot
	}
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	return s.put(h)
}

func (s *idSet) put(h uint64) bool {
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			s.used++
			return true
		case h:
			return false
		}
	}
}

func (s *idSet) grow() {
	old := s.slots
	s.slots, s.used = make([]uint64, 2*len(old)), 0
	for _, h := range old {
		if h != 0 {
			s.put(h)
		}
	}
}
