package sqlite

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"newel"
)

// A segment holds the records that one transaction added to one chunk:
//
//	version  1 byte, segmentVersion
//	form     1 byte, plain or compressed (zstd); the rest is in that form
//	records  by rising offset, each
//	    gap      uvarint, offset less that of the record before, less one
//	    verdict  1 byte
//	    length   uvarint
//	    data     length bytes
//
// The first gap is the offset itself.
const segmentVersion = 1

// encodeSegment sorts records, each of another offset, and packs them.
func (c codec) encodeSegment(records []newel.Packed) []byte {
	slices.SortFunc(records, func(a, b newel.Packed) int { return cmp.Compare(a.Offset, b.Offset) })
	size := 0
	for _, r := range records {
		size += len(r.Data) + 8
	}
	body := make([]byte, 0, size)
	last := -1
	for _, r := range records {
		body = binary.AppendUvarint(body, uint64(r.Offset-last-1))
		body = append(body, byte(r.Verdict))
		body = binary.AppendUvarint(body, uint64(len(r.Data)))
		body = append(body, r.Data...)
		last = r.Offset
	}
	return c.appendPacked([]byte{segmentVersion}, body)
}

// decodeSegment adds the records of a segment to dst. Their data shares memory
// with the segment or with what it decompresses to.
func (c codec) decodeSegment(dst []newel.Packed, segment []byte) ([]newel.Packed, error) {
	if len(segment) == 0 || segment[0] != segmentVersion {
		return dst, fmt.Errorf("%w: a segment of an unknown version", ErrDamaged)
	}
	body, err := c.unpack(segment[1:])
	if err != nil {
		return dst, err
	}
	for last := -1; len(body) > 0; {
		r, rest, ok := decodeRecord(body, last)
		if !ok {
			return dst, fmt.Errorf("%w: a segment ends within a record", ErrDamaged)
		}
		dst, body, last = append(dst, r), rest, r.Offset
	}
	return dst, nil
}

func decodeRecord(body []byte, last int) (r newel.Packed, rest []byte, ok bool) {
	gap, n := binary.Uvarint(body)
	if n <= 0 || gap >= maxItems || len(body) == n {
		return r, nil, false
	}
	r.Offset = last + 1 + int(gap)
	r.Verdict = newel.Verdict(body[n])
	body = body[n+1:]
	size, n := binary.Uvarint(body)
	if n <= 0 || size > uint64(len(body)-n) {
		return r, nil, false
	}
	end := n + int(size)
	r.Data = body[n:end:end]
	return r, body[end:], true
}
