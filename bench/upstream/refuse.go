package upstream

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// refuse writes an error in the form of the route and dialect.
func (s *Server) refuse(w http.ResponseWriter, c *Call, a *Act) {
	h, status := w.Header(), a.Status
	for name, values := range s.script.Header {
		h[name] = values
	}
	after := strconv.FormatInt(int64((a.RetryAfter+time.Second-1)/time.Second), 10)
	name := "Retry-After"
	switch s.script.Dialect {
	case LiteLLM:
		name = "Llm_provider-Retry-After"
		set(h, "X-Litellm-Call-Id", cmp.Or(c.Header.Get("X-Litellm-Call-Id"), "call-"+strconv.Itoa(c.N)))
		set(h, "X-Litellm-Response-Cost", "0")
		set(h, "X-Litellm-Key-Spend", "0.0")
		set(h, "X-Litellm-Timeout", "6000.0")
	case AgentCC:
		s.agentIDs(h, c)
	default:
		s.plain(h, c, "req_"+strconv.Itoa(c.N))
	}
	if a.RetryAfter > 0 {
		set(h, name, after)
	}
	body := []byte(a.Body)
	if a.Body == "" {
		body = s.failure(c, status, cmp.Or(a.Message, fmt.Sprintf("the script says %d", status)))
	}
	h["Content-Type"] = jsonType
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// failure is the body of an error.
func (s *Server) failure(c *Call, status int, message string) []byte {
	if c.Messages {
		b := quote([]byte(`{"type":"error","error":{"type":`), kindOf(c, status))
		return append(quote(append(b, `,"message":`...), message), `}}`...)
	}
	kind, code := kindOf(c, status), "null"
	switch {
	case s.script.Dialect == LiteLLM:
		kind, code = likeLiteLLM[kind], `"`+strconv.Itoa(status)+`"`
	case status == http.StatusTooManyRequests:
		code = `"rate_limit_exceeded"`
	}
	b := quote([]byte(`{"error":{"message":`), message)
	b = quote(append(b, `,"type":`...), kind)
	return append(append(append(b, `,"param":null,"code":`...), code...), `}}`...)
}

// likeLiteLLM are its words for the types of errors.
var likeLiteLLM = map[string]string{
	"invalid_request_error": "invalid_request_error", "authentication_error": "auth_error", "permission_error": "permission_denied",
	"rate_limit_error": "throttling_error", "overloaded_error": "internal_server_error", "server_error": "internal_server_error",
}

func kindOf(c *Call, status int) string {
	switch status {
	case http.StatusBadRequest:
		return "invalid_request_error"
	case http.StatusUnauthorized:
		return "authentication_error"
	case http.StatusForbidden:
		return "permission_error"
	case http.StatusTooManyRequests:
		return "rate_limit_error"
	case 529:
		return "overloaded_error"
	}
	if c.Messages {
		return "api_error"
	}
	return "server_error"
}
