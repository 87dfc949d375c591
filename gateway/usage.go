package gateway

import "newel"

// readUsage normalises what an answer says it used. Totals include their parts:
// of the Messages wire, whose input leaves cached tokens out, and of gateways
// that mix both ways of counting, the input is put together; which way it was is
// found out by arithmetic, never by a model's name.
func readUsage(r *response) newel.Usage {
	u := newel.Usage{Source: "none", Convention: "unknown"}
	raw, _ := r.at("usage").(map[string]any)
	if raw == nil {
		return u
	}
	t := tallyOf(raw)
	if t.in == nil && t.out == nil {
		return u
	}
	u.Source = "body"
	if r.stream {
		u.Source = "stream"
	}
	u.CacheRead, u.CacheWrite5m, u.CacheWrite1h = t.read, t.write5m, t.write1h
	u.AudioIn, u.ImageIn, u.VideoIn = t.audioIn, t.imageIn, t.videoIn
	u.Reasoning, u.AudioOut = t.reasoning, t.audioOut
	u.Input, u.Output, u.Convention = t.totals()
	u.Consistent = u.Convention != "unknown"
	finishUsage(&u)
	return u
}

// tally is a usage as it was told.
type tally struct {
	native                    bool // the Messages wire's own names
	loose                     bool // cache counts are told outside the details
	in, out, total            *int64
	read, write5m, write1h    *int64
	audioIn, imageIn, videoIn *int64
	reasoning, audioOut       *int64
}

func tallyOf(raw map[string]any) tally {
	t := tally{in: firstInt(raw, "prompt_tokens"), out: firstInt(raw, "completion_tokens"), total: firstInt(raw, "total_tokens")}
	details, _ := firstOf(raw, "prompt_tokens_details", "input_tokens_details").(map[string]any)
	if t.in == nil && t.out == nil {
		t.in, t.out = firstInt(raw, "input_tokens"), firstInt(raw, "output_tokens")
		t.native = details == nil
	}
	outside := firstInt(raw, "cache_read_input_tokens", "prompt_cache_hit_tokens")
	t.read = firstInt(details, "cached_tokens")
	if t.read == nil || *t.read == 0 {
		t.read, t.loose = either(outside, t.read), outside != nil
	}
	t.writes(raw, details)
	t.audioIn, t.imageIn, t.videoIn = firstInt(details, "audio_tokens"), firstInt(details, "image_tokens"), firstInt(details, "video_tokens")
	made, _ := firstOf(raw, "completion_tokens_details", "output_tokens_details").(map[string]any)
	t.reasoning, t.audioOut = firstInt(made, "reasoning_tokens", "thinking_tokens"), firstInt(made, "audio_tokens")
	return t
}

// writes reads the cache writes: split by how long they are kept, or one number,
// which is then the five minutes that everybody has.
func (t *tally) writes(raw, details map[string]any) {
	split, _ := firstOf(raw, "cache_creation").(map[string]any)
	if split == nil {
		split, _ = firstOf(details, "cache_creation_token_details").(map[string]any)
	}
	t.write5m = firstInt(split, "ephemeral_5m_input_tokens")
	t.write1h = firstInt(split, "ephemeral_1h_input_tokens")
	whole := firstInt(details, "cache_write_tokens", "cache_creation_tokens")
	if outside := firstInt(raw, "cache_creation_input_tokens"); whole == nil || (*whole == 0 && outside != nil) {
		whole, t.loose = either(outside, whole), t.loose || outside != nil
	}
	if whole == nil {
		return
	}
	if told := count(t.write5m) + count(t.write1h); told != *whole {
		rest := *whole - count(t.write1h)
		t.write5m = &rest
	}
}

// totals returns input and output with all their parts, and by which convention
// they were told: inclusive, exclusive, or unknown where the numbers do not add
// up either way.
func (t *tally) totals() (in, out *int64, convention string) {
	cached := count(t.read) + count(t.write5m) + count(t.write1h)
	sum := count(t.in) + count(t.out)
	whole := count(t.in) + cached
	switch {
	case t.in == nil || t.out == nil:
		return t.in, t.out, "unknown"
	case t.native:
		return &whole, t.out, "exclusive"
	case t.total == nil && cached > count(t.in):
		return &whole, t.out, "exclusive"
	case t.total == nil && cached > 0 && t.loose:
		return t.in, t.out, "unknown"
	case t.total == nil, *t.total == sum:
		return t.in, t.out, "inclusive"
	case cached > 0 && *t.total == sum+cached:
		return &whole, t.out, "exclusive"
	case count(t.reasoning) > 0 && *t.total == sum+*t.reasoning:
		// Some providers leave reasoning out of the completion.
		made := *t.out + *t.reasoning
		return t.in, &made, "inclusive"
	}
	return t.in, t.out, "unknown"
}

// most is a count of tokens beyond which a number is a mistake.
const most = 1 << 40

// finishUsage derives the uncached input and checks that all parts fit in their
// totals.
func finishUsage(u *newel.Usage) {
	for _, n := range []*int64{u.Input, u.Output, u.CacheRead, u.CacheWrite5m, u.CacheWrite1h, u.AudioIn, u.ImageIn, u.VideoIn, u.Reasoning, u.AudioOut} {
		if n != nil && (*n < 0 || *n > most) {
			u.Consistent = false
		}
	}
	if u.Input == nil || u.Output == nil || !u.Consistent {
		u.Consistent = false
		return
	}
	plain := *u.Input - count(u.CacheRead) - count(u.CacheWrite5m) - count(u.CacheWrite1h)
	if plain-count(u.AudioIn)-count(u.ImageIn)-count(u.VideoIn) < 0 || count(u.Reasoning)+count(u.AudioOut) > *u.Output {
		u.Consistent = false
		return
	}
	u.Uncached = &plain
}

func count(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func either(a, b *int64) *int64 {
	if a != nil {
		return a
	}
	return b
}

func firstOf(object map[string]any, names ...string) any {
	for _, name := range names {
		if v := object[name]; v != nil {
			return v
		}
	}
	return nil
}

func firstInt(object map[string]any, names ...string) *int64 {
	for _, name := range names {
		if n := intOf(object[name]); n != nil {
			return n
		}
	}
	return nil
}
