package target

import (
	"sync"

	"newel"
)

// pool keeps commands running between items. How many there are is bounded by
// the target's slots.
type pool struct {
	start func() (*process, *fault)

	mu     sync.Mutex
	idle   []*process
	asked  uint64
	closed bool
}

// take returns a process that is free and the number of the request.
func (p *pool) take() (*process, uint64, *fault) {
	p.mu.Lock()
	p.asked++
	id, last := p.asked, len(p.idle)-1
	if p.closed {
		p.mu.Unlock()
		return nil, 0, &fault{kind: newel.KindTarget, text: "the target was closed"}
	}
	if last >= 0 {
		free := p.idle[last]
		p.idle = p.idle[:last]
		p.mu.Unlock()
		return free, id, nil
	}
	p.mu.Unlock()
	started, f := p.start()
	return started, id, f
}

// give takes a process back.
func (p *pool) give(free *process) {
	p.mu.Lock()
	if !p.closed {
		p.idle = append(p.idle, free)
		free = nil
	}
	p.mu.Unlock()
	if free != nil {
		free.end(false)
	}
}

// stopIdle ends the processes that nobody uses.
func (p *pool) stopIdle(kill bool) {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	var ended sync.WaitGroup
	for _, one := range idle {
		ended.Go(func() { one.end(kill) })
	}
	ended.Wait()
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stopIdle(false)
}
