package judge

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strings"

	"newel"
)

// Pieces of a case are fenced by tags that end in its mark. The mark is a hash
// of the pieces, so that whoever writes one cannot know it, and the same
// question is the same text, and so the same call.

// piece is one value of a case under its tag.
type piece struct {
	tag   string
	attrs string // behind the tag, such as the id of a passage
	text  string
}

// markLength is how many hexadecimal digits a mark has.
const markLength = 16

// markOf returns the mark of a prompt and the pieces that fill it: the first 16
// hexadecimal digits of SHA-256(prompt hash, pieces, files), each piece by its
// tag and text with their lengths ahead. Should it occur in a piece, it is made
// longer.
func markOf(prompt newel.Hash, pieces []piece, files []string) string {
	h := sha256.New()
	h.Write(prompt[:])
	for _, p := range pieces {
		sized(h, p.tag)
		sized(h, p.attrs)
		sized(h, p.text)
	}
	for _, f := range files {
		sized(h, f)
	}
	return absent(hex.EncodeToString(h.Sum(nil)), pieces)
}

// absent returns as many digits as it takes for them to stand in no piece, in
// steps of 16.
func absent(digits string, pieces []piece) string {
	for n := markLength; n < len(digits); n += markLength {
		if !occurs(digits[:n], pieces) {
			return digits[:n]
		}
	}
	return digits
}

func sized(h hash.Hash, text string) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(text)))
	h.Write(n[:])
	h.Write([]byte(text))
}

func occurs(mark string, pieces []piece) bool {
	for _, p := range pieces {
		if strings.Contains(p.text, mark) || strings.Contains(p.attrs, mark) {
			return true
		}
	}
	return false
}

// appendFenced writes a piece between its tags, each on a line of its own.
func appendFenced(b []byte, p piece, mark string) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	b = append(append(append(append(b, '<'), p.tag...), '-'), mark...)
	b = append(append(b, p.attrs...), ">\n"...)
	b = append(b, p.text...)
	if !strings.HasSuffix(p.text, "\n") {
		b = append(b, '\n')
	}
	b = append(append(append(append(b, "</"...), p.tag...), '-'), mark...)
	return append(b, '>', '\n')
}
