package target

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"newel"
)

var errLineTooLong = errors.New("the line is too long")

// protocolError says that a command did not speak as agreed.
type protocolError struct {
	text string
	line []byte // what it said
}

func (e *protocolError) Error() string { return e.text }

// readLine reads up to the next line feed, which is left off, and at most most
// bytes. A text that ends without one is no line.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > most {
			return nil, errLineTooLong
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

// readAnswer takes a command's line apart: {"id", "output", "context", "run"}
// or {"id", "error"}. The fault is the command's own word on the item; the
// error says that the line is not as agreed.
func readAnswer(line []byte, id uint64) (*reply, *fault, error) {
	v, err := newel.ParseJSON(line)
	if err != nil {
		return nil, nil, &protocolError{fmt.Sprintf("the command's line is not JSON (%v)", err), line}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, nil, &protocolError{"the command's line is not a JSON object", line}
	}
	if got, ok := newel.Float(m["id"]); !ok || got != float64(id) {
		return nil, nil, &protocolError{wrongID(m["id"], id), line}
	}
	output, answered := m["output"]
	told, failed := m["error"]
	switch {
	case failed && told != nil:
		return nil, toldFault(told), nil
	case !answered || output == nil:
		return nil, nil, &protocolError{"the command's line has neither output nor error", line}
	}
	r, f := answerOf(output, m)
	if f != nil {
		return nil, nil, &protocolError{f.text, line}
	}
	return r, nil, nil
}

func wrongID(got any, want uint64) string {
	if got == nil {
		return fmt.Sprintf("the answer has no id (%d was asked)", want)
	}
	return fmt.Sprintf("the command answered id %v where %d was asked", got, want)
}

func answerOf(output any, m map[string]any) (*reply, *fault) {
	raw, f := encoded(output)
	if f != nil {
		return nil, f
	}
	r := &reply{output: raw, run: map[string]any{}}
	if v := m["context"]; v != nil {
		if r.context, f = passages(v); f != nil {
			return nil, f
		}
	}
	told, _ := m["run"].(map[string]any)
	for _, name := range []string{"cost_usd", "latency_ms"} {
		if v, ok := told[name]; ok {
			if r.run[name], f = number("run."+name, v); f != nil {
				return nil, f
			}
		}
	}
	for _, name := range []string{"usage", "model"} {
		if v, ok := told[name]; ok && v != nil {
			r.run[name] = v
		}
	}
	return r, nil
}

// toldFault is an error that a command tells: a text, or {kind, message}.
func toldFault(told any) *fault {
	f := &fault{kind: newel.KindTarget}
	m, _ := told.(map[string]any)
	text, isText := m["message"].(string)
	if t, ok := told.(string); ok {
		text, isText = t, true
	}
	if !isText {
		raw, _ := newel.CanonicalOf(told)
		text = string(raw)
	}
	f.text = text
	switch kind, _ := m["kind"].(string); newel.ErrorKind(kind) {
	case newel.KindCase, newel.KindTimeout, newel.KindTooLarge, newel.KindLimit, newel.KindProtocol:
		f.kind = newel.ErrorKind(kind)
	}
	f.again = f.kind.Retryable()
	return f
}
