package paid

import "time"

// How a lane's limit follows what the far end takes. The figures come from
// simulating upstreams that allow so many calls in flight, so many a second,
// or refuse at random.
const (
	calmFor    = 15 * time.Second // between two cuts
	growLeast  = 5 * time.Second  // before a level that was refused is tried again
	growMost   = time.Minute
	growPause  = 15                     // times the pause that it cost, between these bounds
	pauseLeast = 100 * time.Millisecond // where the far end does not say for how long; doubles
	pauseMost  = 5 * time.Second
	growthMin  = 0.05 // of the limit, for a clean round; doubles from round to round
	growthMax  = 0.25
	longPause  = 5 * time.Second // from here on it is a rate that was passed and not a number in flight
)

// control decides how many calls of a lane may be under way. Calls are numbered
// as they are sent, so that what comes back of a call can be held against the
// limit it was sent under.
//
// Refusals of calls that were under way together are one episode. What the far
// end kept of them is the new limit, for a while. There is one cut in calmFor,
// unless most of an episode is refused: a few refusals soon after a cut may be
// chance. Latency decides nothing: that of a model depends on the length of its
// answer.
type control struct {
	limit, bound int
	doubling     bool // slow start: no refusal yet, and nobody has named a number

	since   uint64 // the first call sent after the last episode began
	base    int    // calls under way when it began
	refused int    // how many of them were refused
	long    bool   // it came with a long pause
	rising  bool   // it ended the slow start, in which no lane is full
	was     int    // the limit when it began
	may     bool   // it may cut, whatever its size
	episode int    // episodes since a call was taken last
	effect  effect

	cutAt  time.Time // small episodes do not cut before
	growAt time.Time // the limit does not grow before
	grown  uint64    // the first call sent under the present limit
	clean  int       // of them, those that came back well from a full lane
	growth float64
}

// refuse takes note of a refusal: of the call numbered no, while underWay calls
// were sent and not back (itself one of them), with the pause that the far end
// asked for. It returns how long the lane is to be left alone.
func (c *control) refuse(now time.Time, no, sent uint64, underWay int, after time.Duration) time.Duration {
	pause := after
	if no >= c.since {
		c.begin(now, sent, underWay)
		if pause <= 0 {
			pause = min(pauseLeast<<min(c.episode, 10), pauseMost)
		}
		c.episode++
	}
	c.doubling = false
	c.refused++
	c.effect.refusal()
	c.long = c.long || after >= longPause
	c.clean, c.growth, c.grown = 0, growthMin, sent
	if c.cuts() {
		c.limit = max(1, min(c.limit, c.kept()))
		c.cutAt = later(c.cutAt, now.Add(calmFor+pause))
	}
	c.growAt = later(c.growAt, now.Add(min(max(growPause*pause, growLeast), growMost)))
	return pause
}

// begin opens an episode.
func (c *control) begin(now time.Time, sent uint64, underWay int) {
	if c.may {
		c.effect.cut(float64(c.refused)/float64(c.base), c.was)
	}
	c.may = !now.Before(c.cutAt) || c.lasts()
	if c.may {
		if top := c.effect.judge(c.limit); top > 0 {
			c.limit = min(top, c.bound)
		}
		c.may = !c.effect.none
	}
	c.base, c.refused, c.was, c.long, c.since = underWay, 0, c.limit, false, sent
	c.rising = c.doubling
}

// lasts reports whether too much was refused in the episode before, and for two
// rounds: that is no chance.
func (c *control) lasts() bool {
	return 8*c.refused >= c.base && c.base >= 8 && c.effect.back >= 2*c.limit
}

// cuts reports whether the episode lowers the limit.
func (c *control) cuts() bool {
	return c.may || (c.most() && c.base >= min(8, c.was))
}

// most reports whether most of the episode was refused.
func (c *control) most() bool { return 2*c.refused > c.base }

// kept is what the far end took of the calls under way. Where there is reason
// to think that the count says little, a fifth is the most that is lost: the lane
// was not full, or it is a rate that was passed.
func (c *control) kept() int {
	kept := c.base - c.refused
	if kept == 0 {
		kept = c.was / 2
	}
	if c.long || c.base < min(8, c.was) || (c.base < c.was && !c.most() && !c.rising) {
		kept = max(kept, c.was*4/5)
	}
	return kept
}

// take notes a reply. first: to a first attempt; only those speak for a higher
// limit. full: the lane was at its limit while the call was under way.
func (c *control) take(now time.Time, no, sent uint64, first, full bool) {
	if no >= c.since {
		c.episode = 0
	}
	c.effect.reply(c.limit)
	if !first || !full || no < c.grown || c.limit >= c.bound || now.Before(c.growAt) {
		return
	}
	if c.clean++; c.clean < c.limit {
		return
	}
	more := max(1, int(c.growth*float64(c.limit)))
	c.growth = min(2*c.growth, growthMax)
	if c.doubling {
		more = c.limit
	}
	c.limit = min(c.limit+more, c.bound)
	c.cutAt = now // the new limit is a trial
	c.clean, c.grown = 0, sent
}

// stumble notes a fault that is no refusal: the limit stays and does not grow.
func (c *control) stumble() { c.clean, c.growth = 0, growthMin }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// effect watches what cuts bring. Where the same share of calls is refused after
// two of them, it is not the number in flight that is refused, and the lane goes
// back to its limit before: it would otherwise shrink for nothing until it
// crawls.
type effect struct {
	share  float64 // that was refused when the limit was cut last
	back   int     // calls that came back since
	lost   int     // of them, refused
	run    int     // replies since the last refusal
	futile int     // cuts in a row that changed nothing
	top    int     // the limit before the first of them
	none   bool    // small episodes do not cut
}

// cut notes a cut: of a limit, with the share that was refused. It is told when
// the next episode begins.
func (e *effect) cut(share float64, was int) {
	if e.futile == 0 {
		e.top = was
	}
	e.share = share
}

// judge is asked before another cut. It returns the limit to go back to, or 0.
func (e *effect) judge(limit int) int {
	share := float64(e.lost) / float64(max(e.back, 1))
	enough := e.back >= 2*limit
	e.back, e.lost = 0, 0
	switch {
	case !enough:
		return 0
	case share < 0.05 || share < e.share/2 || share > 2*e.share:
		e.futile = 0
		return 0
	}
	if e.futile++; e.futile < 2 {
		return 0
	}
	e.none = true
	return e.top
}

func (e *effect) refusal() {
	e.back++
	e.lost++
	e.run = 0
}

// reply notes a reply. Three rounds without a refusal begin everything anew.
func (e *effect) reply(limit int) {
	e.back++
	if e.run++; e.run >= 3*limit {
		e.none, e.futile = false, 0
	}
}
