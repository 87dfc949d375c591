package upstream

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"newel"
)

// Dialects whose headers an upstream can wear.
const (
	Plain   = ""
	LiteLLM = "litellm"
	AgentCC = "agentcc"
)

func known(dialect string) bool {
	return slices.Contains([]string{Plain, LiteLLM, AgentCC}, dialect)
}

// dress sets the headers of an answer.
func (s *Server) dress(h http.Header, c *Call, a *Act, u Usage, took time.Duration) {
	for name, values := range s.script.Header {
		h[name] = values
	}
	id := "req_" + strconv.Itoa(c.N)
	switch s.script.Dialect {
	case LiteLLM:
		s.likeLiteLLM(h, c, u, took)
		set(h, "Llm_provider-X-Request-Id", id)
	case AgentCC:
		s.likeAgentCC(h, c, u, took)
	default:
		s.plain(h, c, id)
		if !c.Messages {
			set(h, "Openai-Processing-Ms", strconv.FormatInt(took.Milliseconds(), 10))
		}
	}
}

// set leaves the name as it is.
func set(h http.Header, name, value string) { h[name] = []string{value} }

func (s *Server) plain(h http.Header, c *Call, id string) {
	if c.Messages {
		set(h, "Request-Id", id)
	} else {
		set(h, "X-Request-Id", id)
	}
}

// likeLiteLLM wears what LiteLLM 1.106 says of an answer. On streams the cost
// headers say 0.0 and the plain one is missing.
func (s *Server) likeLiteLLM(h http.Header, c *Call, u Usage, took time.Duration) {
	p := s.script.Price
	name := "X-Litellm-Response-Cost"
	set(h, "X-Litellm-Call-Id", cmp.Or(c.Header.Get("X-Litellm-Call-Id"), "call-"+strconv.Itoa(c.N)))
	set(h, "X-Litellm-Version", "1.106.12")
	set(h, "X-Litellm-Model-Group", c.Model)
	set(h, "X-Litellm-Model-Id", "deployment-1")
	set(h, "X-Litellm-Model-Name", s.model(c))
	set(h, "X-Litellm-Attempted-Retries", "0")
	set(h, "X-Litellm-Attempted-Fallbacks", "0")
	set(h, "X-Litellm-Response-Duration-Ms", millis(took))
	set(h, "X-Litellm-Overhead-Duration-Ms", "0.5")
	if p == (Price{}) || c.asked.Stream {
		for _, part := range []string{"-Original", "-Input", "-Output"} {
			set(h, name+part, "0.0")
		}
		return
	}
	set(h, name, float(p.Cost(u)))
	set(h, name+"-Original", float(p.Cost(u)))
	set(h, name+"-Input", float(p.in(u)))
	set(h, name+"-Cache-Read", float(p.cached(u)))
	set(h, name+"-Output", float(p.Out*newel.Money(u.Out)))
	set(h, name+"-Reasoning", float(p.Out*newel.Money(u.Reasoning)))
	set(h, "X-Litellm-Key-Spend", float(p.Cost(u)))
}

// likeAgentCC wears what that gateway says: cost in six decimals, cached
// tokens at the full rate, no cost for a model without a price.
func (s *Server) likeAgentCC(h http.Header, c *Call, u Usage, took time.Duration) {
	s.agentIDs(h, c)
	set(h, "X-Agentcc-Provider", "scripted")
	set(h, "X-Agentcc-Latency-Ms", strconv.FormatInt(took.Milliseconds(), 10))
	set(h, "X-Agentcc-Cache", "miss")
	set(h, "X-Agentcc-Timeout-Ms", "60000")
	if c.asked.Stream {
		return
	}
	set(h, "X-Agentcc-Model-Used", s.model(c))
	if s.script.Price != (Price{}) {
		micro := (s.script.Price.flat(u) + newel.Dollar/2_000_000) / (newel.Dollar / 1_000_000)
		set(h, "X-Agentcc-Cost", fmt.Sprintf("%d.%06d", micro/1_000_000, micro%1_000_000))
	}
}

func (s *Server) agentIDs(h http.Header, c *Call) {
	set(h, "X-Agentcc-Request-Id", fmt.Sprintf("%026d", c.N))
	set(h, "X-Agentcc-Trace-Id", cmp.Or(c.Header.Get("X-Agentcc-Trace-Id"), "trace-"+strconv.Itoa(c.N)))
}

// float writes an amount as a program does that computes with floats.
func float(m newel.Money) string {
	dollars := float64(m) / float64(newel.Dollar)
	if dollars != 0 && dollars < 1e-4 {
		return strconv.FormatFloat(dollars, 'e', -1, 64)
	}
	return strconv.FormatFloat(dollars, 'f', -1, 64)
}

func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 3, 64)
}
