package sqlite

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/s2"

	"newel"
)

// An entry's data is its reply and its call in one body:
//
//	length  uvarint, of the reply
//	reply   length bytes
//	call    the rest
//
// A long body is packed like any other value. One of shortBody bytes or less is
// written as
//
//	form    1 byte, described
//	sum     4 bytes, CRC-32C of the body, big endian
//	block   S2, with entryDictionary
//
// where that makes it smaller. Of a typical entry that leaves half of what zstd
// does, in a fifth of the time: most of it is names that every entry has.
const (
	described = 2
	shortBody = 8 << 10
)

func newDictionary() *s2.Dict { return s2.MakeDict([]byte(entryDictionary), nil) }

func (c codec) packEntry(e newel.Entry) []byte {
	body := make([]byte, 0, binary.MaxVarintLen32+len(e.Reply)+len(e.Call))
	body = binary.AppendUvarint(body, uint64(len(e.Reply)))
	body = append(append(body, e.Reply...), e.Call...)
	if len(body) < smallest || len(body) > shortBody {
		return c.pack(body)
	}
	const head = 1 + crc32.Size
	data := make([]byte, head+s2.MaxEncodedLen(len(body)))
	data[0] = described
	binary.BigEndian.PutUint32(data[1:], sumOf(body))
	data = data[:head+len(c.dict.Encode(data[head:], body))]
	if len(data) > len(body) {
		return append([]byte{plain}, body...)
	}
	return data
}

func sumOf(body []byte) uint32 { return crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) }

// unpackEntry sets the reply and the call of e. They share no memory with data
// unless it is plain.
func (c codec) unpackEntry(e *newel.Entry, data []byte) error {
	body, err := c.body(data)
	if err != nil {
		return err
	}
	size, n := binary.Uvarint(body)
	if n <= 0 || size > uint64(len(body)-n) {
		return fmt.Errorf("%w: an entry ends within its reply", ErrDamaged)
	}
	end := n + int(size)
	e.Reply, e.Call = body[n:end:end], body[end:]
	return nil
}

func (c codec) body(data []byte) ([]byte, error) {
	if len(data) == 0 || data[0] != described {
		return c.unpack(data)
	}
	if len(data) < 1+crc32.Size {
		return nil, fmt.Errorf("%w: an entry without a body", ErrDamaged)
	}
	block := data[1+crc32.Size:]
	if n, err := s2.DecodedLen(block); err != nil || n > shortBody {
		return nil, fmt.Errorf("%w: an entry of %d bytes", ErrDamaged, n)
	}
	body, err := c.dict.Decode(nil, block)
	if err != nil {
		return nil, fmt.Errorf("%w: an entry: %w", ErrDamaged, err)
	}
	if sumOf(body) != binary.BigEndian.Uint32(data[1:]) {
		return nil, fmt.Errorf("%w: an entry has another content than its sum says", ErrDamaged)
	}
	return body, nil
}

// entryDictionary is what entries are likely to have in common. It never
// changes: another dictionary is another form.
const entryDictionary = `"service_tier":"default","batch":true,"notes":["cost_mismatch"],"retry_after_ms":,` +
	`"guardrail_names":[],"fallback_from":"","fallback_index":0,"failed_attempts":[{"http_status":429,"outcome":"rate_limited","latency_client_ms":` +
	`,"may_cost":true}],"ratelimit":{"limit":,"remaining":,"reset_ms":},"refusal":true,"deployment":"","generation_id":"gen-","trace_id":"` +
	`"http_status":503,"outcome":"upstream_error","http_status":504,"outcome":"timeout","outcome":"gateway_error","outcome":"client_error",` +
	`"outcome":"bad_output","outcome":"budget","outcome":"blocked","outcome":"flagged","outcome":"refused","outcome":"truncated",` +
	`"anthropic","openai","openrouter","portkey","agentcc","generic","azure","bedrock","vertex","gpt-","claude-","gemini-","llama-","mistral-",` +
	`"fallback":"yes","fallback":"unknown","guardrail":"ran","guardrail":"unknown","gateway_cache":"hit_exact","gateway_cache":"unknown",` +
	`"latency_scope":"last_attempt","latency_scope":"to_headers","latency_scope":"unknown","upstream_scope":"cumulative","upstream_scope":"last",` +
	`"latency_upstream_ms":,"ttft_ms":,"upstream_attempts":1,"attempts_exact":false,"model_source":"body","model_source":"unknown",` +
	`"cache_write_5m":0,"cache_write_1h":0,"audio_in":0,"image_in":0,"audio_out":0,"source":"header","convention":"exclusive","consistent":false,` +
	`"status":"billed","status":"table_computed","status":"zero_confirmed","status":"unknown","usd":null,"source":"gateway_body","source":"table",` +
	`"table_usd":0.000,"upstream_usd":0.000,"resolution":0.000001,"held":0.0,"excludes_failed_attempts":"no","excludes_failed_attempts":"yes",` +
	`{"text":"{\"verdict\":\"pass\",\"reason\":\"\",\"score\":1,\"explanation\":\"The answer is \"}","text":"{\"reasoning\":\"The response ` +
	`\",\"verdict\":\"fail\"}","finish":"length","refused":false,"finish":"stop","tokens":[{"token":"","logprob":-0.0,"top":[]}]}` +
	`{"call_key":"","kind":"judge","gateway":"gateway","dialect":"litellm","version":"1.","gateway_request_id":"","upstream_request_id":"req_` +
	`","model_requested":"","model_used":"","model_source":"header","provider_used":"","fallback":"no","guardrail":"none","gateway_cache":"miss",` +
	`"attempts":1,"attempts_exact":true,"latency_client_ms":,"waited_ms":,"latency_gateway_ms":,"latency_scope":"total_incl_retries",` +
	`"upstream_scope":"unknown","usage":{"input_total":,"input_uncached":,"cache_read":0,"output_total":,"reasoning":0,"source":"body",` +
	`"convention":"inclusive","consistent":true},"cost":{"usd":0.000,"status":"gateway_computed","source":"gateway_header","gateway_usd":0.000,` +
	`"price_table":"20","excludes_failed_attempts":"unknown"},"http_status":200,"outcome":"ok","finish_reason":"stop",` +
	`"raw":{"x-litellm-call-id":"","x-litellm-model-id":"","x-litellm-response-cost":"0.000","x-request-id":""}}`
