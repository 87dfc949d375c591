package main

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// memoryGoal is what the heap is kept under while that costs little: a run of
// any number of cases needs less.
const memoryGoal = 72 << 20

// frugal keeps memory near the goal for runs of any length without collecting
// more often than needed in short ones. Where a run truly needs more (clusters,
// a large baseline), the goal rises, so that the collector never fights it.
func frugal(ended <-chan struct{}) {
	debug.SetGCPercent(400)
	goal := debug.SetMemoryLimit(-1)
	if goal < 1<<60 {
		return // GOMEMLIMIT is the user's word
	}
	goal = memoryGoal
	debug.SetMemoryLimit(goal)
	needs := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	tick := time.NewTicker(time.Second / 8)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
			metrics.Read(needs)
			if need := 2 * int64(needs[0].Value.Uint64()+needs[1].Value.Uint64()); need > goal {
				goal = need
				debug.SetMemoryLimit(goal)
			}
		}
	}
}
