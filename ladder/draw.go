package ladder

import (
	"encoding/binary"
	"strconv"

	"newel"
)

// Draw returns the item's number in [0, 1) for a rubric: the first 53 bits of
// SHA-256 over canonical JSON ["newel/draw/1", seed, rubric, case id, matrix,
// trial]. It depends on nothing else, so that every engine and every rerun
// draws alike, and one number serves sample and audit.
func Draw(seed int64, rubric string, it *newel.Item) float64 {
	buf := append(make([]byte, 0, 160), `["newel/draw/1",`...)
	buf = strconv.AppendInt(buf, seed, 10)
	buf = newel.AppendString(append(buf, ','), rubric)
	key := newel.AppendItemKey(nil, it.Case.ID, it.Matrix, it.Trial)
	buf = append(append(buf, ','), key[1:]...)
	h := newel.HashOf(buf)
	return float64(binary.BigEndian.Uint64(h[:8])>>11) / (1 << 53)
}
