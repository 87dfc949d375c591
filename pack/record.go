package pack

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"newel"
)

// recordVersion is the first byte of every record. Version 1 had no calls,
// version 2 no orders of pairs; both are still read.
const recordVersion = 3

// maxText is how much of an explanation, and of evidence, a record keeps; the
// rest can be derived again from the stored case.
const maxText = 4 << 10

// Flags of a packed result or score.
const (
	hasValue = 1 << iota
	hasReason
	hasError
	hasChoice
	hasInclusion
	hasAudit
	hasText
	hasEvidence

	hasCalls  = hasReason // of a score, which has no reason
	hasOrders = hasAudit  // of a score, which has no audit
)

// Record is one item's results with the hash of what was scored.
type Record struct {
	Scored  newel.Hash
	Results []newel.Result
}

// AppendRecord packs an item's results. Scorers are written by their number
// in names, the plan's list for each rubric; others by name.
func AppendRecord(b []byte, rec Record, names [][]string) []byte {
	b = append(b, recordVersion)
	b = append(b, rec.Scored[:]...)
	b = binary.AppendUvarint(b, uint64(len(rec.Results)))
	for i := range rec.Results {
		b = appendResult(b, &rec.Results[i], names)
	}
	return b
}

func appendResult(b []byte, r *newel.Result, names [][]string) []byte {
	flags := byte(0)
	set := func(on bool, flag byte) {
		if on {
			flags |= flag
		}
	}
	set(r.HasValue, hasValue)
	set(r.Reason != "", hasReason)
	set(r.Err != nil, hasError)
	set(r.Choice != "", hasChoice)
	set(r.Inclusion != 0, hasInclusion)
	set(r.Audit != nil, hasAudit)
	b = binary.AppendUvarint(b, uint64(r.Rubric))
	b = append(b, byte(r.Verdict)|byte(r.Layer)<<4, flags)
	if r.HasValue {
		b = binary.AppendVarint(b, int64(r.Value))
	}
	if r.Reason != "" {
		b = appendText(b, r.Reason)
	}
	b = appendError(b, r.Err)
	if r.Choice != "" {
		b = appendText(b, r.Choice)
	}
	if r.Inclusion != 0 {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(r.Inclusion))
	}
	if a := r.Audit; a != nil {
		b = append(b, byte(a.Layer), byte(a.Verdict), boolByte(a.HasValue))
		b = binary.AppendVarint(b, int64(a.Value))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Scores)))
	for i := range r.Scores {
		b = appendScore(b, &r.Scores[i], scorerNames(names, r.Rubric))
	}
	return b
}

func scorerNames(names [][]string, rubric int) []string {
	if rubric < len(names) {
		return names[rubric]
	}
	return nil
}

func appendScore(b []byte, s *newel.Score, names []string) []byte {
	number := 0
	for i, n := range names {
		if n == s.Scorer {
			number = i + 1
			break
		}
	}
	b = binary.AppendUvarint(b, uint64(number))
	if number == 0 {
		b = appendText(b, s.Scorer)
	}
	shown := s.Verdict != newel.Pass || s.Layer == newel.Judge // a judge's words were paid for
	flags := byte(0)
	for _, f := range [...]struct {
		on   bool
		flag byte
	}{{s.HasValue, hasValue}, {s.Err != nil, hasError}, {s.Choice != "", hasChoice},
		{shown && s.Explanation != "", hasText}, {shown && len(s.Evidence) > 0, hasEvidence}, {len(s.Calls) > 0, hasCalls},
		{s.Orders.Asked > 0, hasOrders}} {
		if f.on {
			flags |= f.flag
		}
	}
	b = append(b, byte(s.Verdict)|byte(s.Layer)<<4, flags)
	if s.HasValue {
		b = binary.AppendVarint(b, int64(s.Value))
	}
	b = appendError(b, s.Err)
	if s.Choice != "" {
		b = appendText(b, s.Choice)
	}
	if flags&hasText != 0 {
		b = appendText(b, clip(s.Explanation))
	}
	if flags&hasEvidence != 0 {
		b = appendEvidence(b, s.Evidence)
	}
	if flags&hasCalls != 0 {
		b = appendCalls(b, s.Calls)
	}
	if flags&hasOrders != 0 {
		for _, n := range [...]int{s.Orders.Asked, s.Orders.Same, s.Orders.First, s.Orders.Second} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func appendError(b []byte, e *newel.ScoreError) []byte {
	if e == nil {
		return b
	}
	return appendText(appendText(b, string(e.Kind)), clip(e.Message))
}

func appendEvidence(b []byte, list []newel.Evidence) []byte {
	text, err := json.Marshal(list)
	if err == nil && len(text) > maxText {
		list = []newel.Evidence{{Path: clipTo(list[0].Path, 256), Want: clipTo(list[0].Want, maxText/3), Got: clipTo(list[0].Got, maxText/3)}}
		text, err = json.Marshal(list)
	}
	if err != nil {
		text = nil
	}
	return appendText(b, string(text))
}

func clip(text string) string { return clipTo(text, maxText) }

func clipTo(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}

// ReadRecord unpacks an item's results into rec, whose memory it uses again.
// Without texts, explanations and evidence are passed over.
func ReadRecord(data []byte, names [][]string, texts bool, rec *Record) error {
	r := &reader{b: data}
	if v := r.byte(); v < 1 || v > recordVersion {
		return fmt.Errorf("record of version %d: this binary reads versions 1 to %d", v, recordVersion)
	}
	copy(rec.Scored[:], r.take(len(rec.Scored)))
	n := r.length()
	if r.err != nil || n > len(r.b) {
		return errTorn
	}
	if cap(rec.Results) < n {
		rec.Results = make([]newel.Result, n)
	}
	rec.Results = rec.Results[:n]
	for i := range rec.Results {
		r.result(&rec.Results[i], names, texts)
	}
	return r.err
}

func (r *reader) result(out *newel.Result, names [][]string, texts bool) {
	scores := out.Scores[:0]
	*out = newel.Result{Rubric: r.length()}
	head, flags := r.byte(), r.byte()
	out.Verdict, out.Layer = newel.Verdict(head&15), newel.Layer(head>>4)
	if flags&hasValue != 0 {
		out.Value, out.HasValue = r.value(), true
	}
	if flags&hasReason != 0 {
		out.Reason = r.word()
	}
	if flags&hasError != 0 {
		out.Err = r.scoreError(true)
	}
	if flags&hasChoice != 0 {
		out.Choice = r.text()
	}
	if flags&hasInclusion != 0 {
		out.Inclusion = math.Float64frombits(binary.BigEndian.Uint64(r.take(8)))
	}
	if flags&hasAudit != 0 {
		out.Audit = &newel.Audit{Layer: newel.Layer(r.byte()), Verdict: newel.Verdict(r.byte()), HasValue: r.byte() == 1, Value: r.value()}
	}
	n := r.length()
	for range n {
		if r.err != nil {
			return
		}
		scores = append(scores, newel.Score{})
		r.score(&scores[len(scores)-1], scorerNames(names, out.Rubric), texts)
	}
	out.Scores = scores
}

func (r *reader) score(out *newel.Score, names []string, texts bool) {
	if number := r.length(); number == 0 {
		out.Scorer = r.text()
	} else if number <= len(names) {
		out.Scorer = names[number-1]
	} else {
		r.err = errTorn
		return
	}
	head, flags := r.byte(), r.byte()
	out.Verdict, out.Layer = newel.Verdict(head&15), newel.Layer(head>>4)
	if flags&hasValue != 0 {
		out.Value, out.HasValue = r.value(), true
	}
	if flags&hasError != 0 {
		out.Err = r.scoreError(true)
	}
	if flags&hasChoice != 0 {
		out.Choice = r.text()
	}
	if flags&hasText != 0 {
		out.Explanation = r.textIf(texts)
	}
	if flags&hasEvidence != 0 {
		if text := r.textIf(texts); text != "" {
			r.evidence(out, text)
		}
	}
	if flags&hasCalls != 0 {
		out.Calls = r.calls()
	}
	if flags&hasOrders != 0 {
		out.Orders = newel.Orders{Asked: r.length(), Same: r.length(), First: r.length(), Second: r.length()}
	}
}

func (r *reader) evidence(out *newel.Score, text string) {
	if err := json.Unmarshal([]byte(text), &out.Evidence); err != nil && r.err == nil {
		r.err = errTorn
	}
}

func (r *reader) value() newel.Value {
	v, n := binary.Varint(r.b)
	if n <= 0 || r.err != nil {
		r.err = errTorn
		return 0
	}
	r.b = r.b[n:]
	return newel.Value(v)
}

func (r *reader) scoreError(texts bool) *newel.ScoreError {
	return &newel.ScoreError{Kind: newel.ErrorKind(r.text()), Message: r.textIf(texts)}
}

// textIf reads a text, or passes over it.
func (r *reader) textIf(wanted bool) string {
	if wanted {
		return r.text()
	}
	r.take(r.length())
	return ""
}

// word reads a short text of which there are few.
func (r *reader) word() string {
	b := r.take(r.length())
	for _, known := range [...]string{newel.Undrawn, newel.NoLayerReason, newel.Measured} {
		if string(b) == known {
			return known
		}
	}
	return string(b)
}
