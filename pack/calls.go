package pack

import (
	"encoding/binary"

	"newel"
)

// Flags of a packed reference to a call.
const (
	callReply = 1 << iota
	callRun
	callRecorded
)

func appendCalls(b []byte, calls []newel.CallRef) []byte {
	b = binary.AppendUvarint(b, uint64(len(calls)))
	for i := range calls {
		b = appendCall(b, &calls[i])
	}
	return b
}

func appendCall(b []byte, c *newel.CallRef) []byte {
	flags := byte(0)
	if !c.Reply.IsZero() {
		flags |= callReply
	}
	if c.Run != "" {
		flags |= callRun
	}
	if c.Recorded {
		flags |= callRecorded
	}
	b = append(append(b, flags), c.Key[:]...)
	if flags&callReply != 0 {
		b = append(b, c.Reply[:]...)
	}
	if flags&callRun != 0 {
		b = appendText(b, c.Run)
	}
	return binary.AppendUvarint(b, uint64(c.Seq))
}

func (r *reader) calls() []newel.CallRef {
	n := r.length()
	if r.err != nil || n > len(r.b) {
		r.err = errTorn
		return nil
	}
	out := make([]newel.CallRef, n)
	for i := range out {
		c := &out[i]
		flags := r.byte()
		copy(c.Key[:], r.take(len(c.Key)))
		if flags&callReply != 0 {
			copy(c.Reply[:], r.take(len(c.Reply)))
		}
		if flags&callRun != 0 {
			c.Run = r.text()
		}
		c.Recorded = flags&callRecorded != 0
		c.Seq = r.length()
	}
	return out
}
