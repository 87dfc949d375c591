package eval

import (
	"fmt"

	"newel"
)

// unasked is why the selection could not be asked of some cases.
type unasked struct {
	why  string
	id   string // the first of them
	pos  newel.Pos
	more int
}

// maxUnasked is how many reasons are told apart.
const maxUnasked = 20

// unanswered notes that the selection could not be asked of a case: once for
// each reason, since one mistake in an expression is met by every case.
func (p *planner) unanswered(at *CaseAt, why string) {
	for i := range p.unasked {
		if u := &p.unasked[i]; u.why == why || len(p.unasked) == maxUnasked && i == maxUnasked-1 {
			u.more++
			return
		}
	}
	p.unasked = append(p.unasked, unasked{why: why, id: at.Case.ID, pos: at.Pos})
}

func (p *planner) noteUnasked() {
	for _, u := range p.unasked {
		more := ""
		switch {
		case u.more == 1:
			more = " (and so 1 more case)"
		case u.more > 1:
			more = fmt.Sprintf(" (and so %d more cases)", u.more)
		}
		p.mistakes.Add(u.pos, "case %q: --where: %s%s", u.id, u.why, more)
	}
}
