package gateway

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"newel"
)

// wire returns the bytes to send: Keyed with each file in place of its hash, and
// with what the dialect adds for the gateway's own log.
func (b *Body) wire(d *dialect, t Tags) ([]byte, error) {
	out, err := b.withFiles()
	if err != nil || d.fields == nil {
		return out, err
	}
	extra := map[string]any{}
	d.fields(extra, t)
	fresh := false
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(b.names, name) {
			continue // the suite's own wins
		}
		raw, err := newel.CanonicalOf(extra[name])
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", name, err)
		}
		if !fresh {
			out, fresh = slices.Clone(out[:len(out)-1]), true
		}
		out = append(newel.AppendString(append(out, ','), name), ':')
		out = append(out, raw...)
	}
	if fresh {
		out = append(out, '}')
	}
	return out, nil
}

// withFiles puts the files in. Without any it is Keyed itself, not a copy.
func (b *Body) withFiles() ([]byte, error) {
	if len(b.places) == 0 {
		return b.Keyed, nil
	}
	var out []byte
	last := 0
	for _, p := range b.places {
		data, err := p.media.Data()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", p.media.Name, err)
		}
		out = append(append(out, b.Keyed[last:p.at]...), '"')
		if p.url {
			out = append(out, "data:"+p.media.Type+";base64,"...)
		}
		out = append(base64.StdEncoding.AppendEncode(out, data), '"')
		last = p.end
	}
	return append(out, b.Keyed[last:]...), nil
}
