package gateway

import "sync"

// common keeps parts of bodies as they are written there which many calls have:
// schemas and system texts. It is bounded; what is not kept is written anew.
type common struct {
	mu   sync.RWMutex
	kept map[string][]byte
}

// Bounds of common.
const (
	commonParts = 64
	commonSize  = 64 << 10 // bytes of one part
)

// written returns what write makes of text. It must not be changed.
func (c *common) written(text string, write func() ([]byte, error)) ([]byte, error) {
	c.mu.RLock()
	out, ok := c.kept[text]
	c.mu.RUnlock()
	if ok {
		return out, nil
	}
	out, err := write()
	if err != nil || len(text) > commonSize {
		return out, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string][]byte{}
	}
	if len(c.kept) < commonParts {
		c.kept[text] = out
	}
	return out, nil
}
