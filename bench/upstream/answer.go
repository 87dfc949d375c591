package upstream

import (
	"encoding/binary"
	"net/http"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// perform does what was decided. A caller that leaves during the delay is
// billed all the same: a provider does not stop.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, c *Call, a Act, begun time.Time) outcome {
	switch {
	case a.Hang:
		select {
		case <-r.Context().Done():
		case <-s.closing:
		}
		hangUp(w)
		return outcome{hung: true, gone: true}
	case a.Status >= 400:
		if !s.wait(a.Delay) {
			return outcome{}
		}
		s.refuse(w, c, &a)
		return outcome{status: a.Status}
	}
	spread := time.Duration(s.draw("spread", c) * float64(s.script.Spread))
	if !s.wait(s.script.Delay + spread + a.Delay) {
		return outcome{}
	}
	o := outcome{status: http.StatusOK, paid: true, cut: a.Cut, gone: r.Context().Err() != nil}
	if a.Status != 0 {
		o.status = a.Status
	}
	if a.Text == "" && a.Refusal == "" && a.Body == "" {
		a.Text = Pass
	}
	a.Text = marked(a.Text, c.Body)
	s.answer(w, c, &a, o.status, begun)
	return o
}

// wait lets time pass. It is false where the server closes first.
func (s *Server) wait(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.closing:
		return false
	}
}

// draw is between 0 and 1, the same for the same call, time that it comes and
// seed.
func (s *Server) draw(what string, c *Call) float64 {
	var b [128]byte
	all := binary.LittleEndian.AppendUint64(b[:0], s.script.Seed)
	all = binary.LittleEndian.AppendUint64(all, uint64(c.Nth))
	all = append(append(append(all, what...), 0), c.ID...)
	return float64(xxhash.Sum64(all)>>11) / (1 << 53)
}

// answer writes an answer, whole, cut or as a stream.
func (s *Server) answer(w http.ResponseWriter, c *Call, a *Act, status int, begun time.Time) {
	u := s.used(c, a)
	s.dress(w.Header(), c, a, u, time.Since(begun))
	if c.asked.Stream && a.Body == "" {
		s.stream(w, c, a, u)
		return
	}
	body := []byte(a.Body)
	switch {
	case a.Body != "":
	case c.Messages:
		body = s.message(c, a, u)
	default:
		body = s.completion(c, a, u)
	}
	w.Header()["Content-Type"] = jsonType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if a.Cut {
		_, _ = w.Write(body[:len(body)/2])
		hangUp(w)
		return
	}
	_, _ = w.Write(body)
}

var jsonType = []string{"application/json"}

// hangUp ends a connection after what was written to it.
func hangUp(w http.ResponseWriter) {
	control := http.NewResponseController(w)
	_ = control.Flush()
	if conn, _, err := control.Hijack(); err == nil {
		_ = conn.Close()
	}
}

// model is the name of the one that answers.
func (s *Server) model(c *Call) string {
	if s.script.Model != "" {
		return s.script.Model
	}
	return c.Model + "-2026-01-01"
}

// shown is the model's name in a body: LiteLLM writes the alias there.
func (s *Server) shown(c *Call) string {
	if s.script.Dialect == LiteLLM {
		return c.Model
	}
	return s.model(c)
}

// quote appends a JSON string. Bytes that are no UTF-8 become U+FFFD.
func quote(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}

// field appends a key with an integer, after a comma.
func field(b []byte, key string, n int64) []byte {
	b = append(append(append(b, ',', '"'), key...), '"', ':')
	return strconv.AppendInt(b, n, 10)
}
