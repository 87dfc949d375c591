package report

import (
	"fmt"
	"io"
	"strings"

	"newel"
)

// AB holds two judges, or one behind two gateways, side by side.
type AB struct {
	ID      string     `json:"ab"`
	Suite   string     `json:"suite"`
	Sides   [2]ABSide  `json:"sides"`
	Rubrics []ABRubric `json:"rubrics"`
	// LeastKnown is the share of calls whose cost must be known for dollars to be
	// compared, Refused why they are not; empty: they are.
	LeastKnown float64 `json:"least_known"`
	Refused    string  `json:"refused,omitempty"`
}

// ABSide is one side's run. Costs are those of its replies, whoever paid for
// them; PaidUSD is what this run paid itself. USD is nil where it is not compared,
// and a lower end where Unknown, Partly or Lost is not zero.
type ABSide struct {
	Side   string   `json:"side"`
	Run    string   `json:"run"`
	Digest string   `json:"digest"`
	Set    []string `json:"set"`   // KEY=VALUE
	Calls  int      `json:"calls"` // different ones: paid for by this run, or, Cached of them, by earlier ones
	Cached int      `json:"cached"`
	// Shared counts, beside Calls, the rows that were read from a reply that another
	// row had brought.
	Shared  int `json:"shared"`
	Unknown int `json:"unknown_calls"`
	Partly  int `json:"partly_known_calls"` // whose earlier attempts may have been billed too
	Lost    int `json:"lost_attempts"`      // lost with a process
	// HeldUSD is what is not known comes to at most, as far as prices are known.
	HeldUSD newel.Money  `json:"held_usd"`
	Known   *float64     `json:"known_share"`
	USD     *newel.Money `json:"usd"`
	PaidUSD newel.Money  `json:"paid_usd"`
	// PaidUnknown is of how many of this run's own calls and attempts PaidUSD does
	// not hold all.
	PaidUnknown int `json:"paid_unknown_calls"`
}

// inexact is of how many calls the cost is not known to the end.
func (s *ABSide) inexact() int { return s.Unknown + s.Partly + s.Lost }

// ABRubric is one rubric. Rows are those that a side's judge was asked about, and
// what counts is what the judge said, also where a lower layer's fail is final.
type ABRubric struct {
	Name    string      `json:"rubric"`
	Sides   [2]ABCell   `json:"sides"`
	Between ABAgreement `json:"between"`
	Differ  ABDiffer    `json:"differ"`
}

// ABCell is one side of a rubric. Amounts are nil where they are not compared or
// there is nothing to divide by; PerAgreed and PerCaught are of labelled rows
// alone.
type ABCell struct {
	Rows       int          `json:"rows"`
	Verdicts   int          `json:"verdicts"`
	Calls      int          `json:"calls"`
	Unknown    int          `json:"unknown_calls"`
	Partly     int          `json:"partly_known_calls"`
	HeldUSD    newel.Money  `json:"held_usd"`
	Known      *float64     `json:"known_share"`
	USD        *newel.Money `json:"usd"`
	PerVerdict *newel.Money `json:"usd_per_verdict"`
	// Agreement with people's labels.
	N         int          `json:"labelled"`
	Agree     int          `json:"agree"`
	Rate      *float64     `json:"accuracy"`
	Kappa     *float64     `json:"kappa"`
	PerAgreed *newel.Money `json:"usd_per_agreed"`
	// Failures are rows that people labelled fail, Caught those of them that the
	// judge fails.
	Failures  int          `json:"failures"`
	Caught    int          `json:"caught"`
	PerCaught *newel.Money `json:"usd_per_caught"`
}

// ABAgreement is how the two agree with each other.
type ABAgreement struct {
	N       int      `json:"n"`
	Agree   int      `json:"agree"`
	Rate    *float64 `json:"rate"`
	Kappa   *float64 `json:"kappa"`
	Missing int      `json:"missing"` // rows with a verdict of one side at most
}

// ABDiffer is the rows on which they differ, and what each side's replies to them
// cost. Right counts whom people's labels bear out.
type ABDiffer struct {
	N        int             `json:"n"`
	USD      [2]*newel.Money `json:"usd"`
	Unknown  [2]int          `json:"unknown_calls"`
	Partly   [2]int          `json:"partly_known_calls"`
	Labelled int             `json:"labelled"`
	Right    [2]int          `json:"right"`
	Cases    []string        `json:"cases"` // the first few
}

// Refuse notes that too few costs are known to compare dollars: of a side's
// calls, all or one rubric's.
func (ab *AB) Refuse(side, rubric string, known float64) {
	of := "calls"
	if rubric != "" {
		of = "calls for " + rubric
	}
	text := fmt.Sprintf("of side %s's %s the cost of %s %% is known", side, of, hundredths(known))
	if ab.Refused != "" {
		ab.Refused += "; "
	}
	ab.Refused += text
}

// headline is the comparison in one line.
func (ab *AB) headline() string {
	n, agree := 0, 0
	for _, r := range ab.Rubrics {
		n, agree = n+r.Between.N, agree+r.Between.Agree
	}
	text := ab.dearer()
	if n == 0 {
		return text + "; there is no verdict of both to compare"
	}
	share := float64(agree) / float64(n)
	return text + "; they agree on " + count(agree) + " of " + counted(n, "verdict", "verdicts") + " (" + hundredths(share) + " %)"
}

// dearer says which side costs more.
func (ab *AB) dearer() string {
	a, b := ab.Sides[0].USD, ab.Sides[1].USD
	switch {
	case a == nil || b == nil:
		return "dollars are not compared"
	case *a == *b && ab.Sides[0].inexact()+ab.Sides[1].inexact() == 0:
		return "both cost " + dollars(*a)
	case *a == 0, *b == 0, ab.Sides[0].inexact()+ab.Sides[1].inexact() > 0, nearly(*a, *b):
		return "a costs " + abAmount(a, ab.Sides[0].inexact()) + ", b " + abAmount(b, ab.Sides[1].inexact())
	case *a > *b:
		return "a costs " + number(float64(*a)/float64(*b)) + " times b: " + dollars(*a) + " and " + dollars(*b)
	}
	return "b costs " + number(float64(*b)/float64(*a)) + " times a: " + dollars(*b) + " and " + dollars(*a)
}

// nearly reports whether two amounts differ by less than 1 %.
func nearly(a, b newel.Money) bool {
	return max(a, b)-min(a, b) < max(a, b)/100
}

// refusal says why dollars are not compared; empty: they are.
func (ab *AB) refusal() string {
	if ab.Refused == "" {
		return ""
	}
	return "dollars are not compared: " + Visible(ab.Refused) + ", and " + hundredths(ab.LeastKnown) + " % are needed"
}

// ABText writes a comparison for people; its first line says it in short.
func ABText(w io.Writer, ab *AB, opt TextOptions) error {
	p := newPage(w, opt)
	p.para(0, bold, ab.headline(), 0)
	if r := ab.refusal(); r != "" {
		p.para(0, unsure, r, 0)
	}
	p.line("")
	for _, s := range ab.Sides {
		p.item(s.Side, plainTone, abSet(s)+"; run "+Visible(s.Run), 0)
	}
	for _, t := range ab.tables() {
		p.title(t.title)
		p.table(t.text())
	}
	return p.close()
}

// abSet is what a side was set to.
func abSet(s ABSide) string {
	if len(s.Set) == 0 {
		return "the suite as it is"
	}
	return Visible(strings.Join(s.Set, " "))
}

// ABMarkdown writes a comparison for a pull request or a page.
func ABMarkdown(w io.Writer, ab *AB) error {
	var b strings.Builder
	b.WriteString("## newel ab: " + codeSpan(ab.Suite) + "\n\n" + ab.headline() + "\n\n")
	if ab.Refused != "" {
		b.WriteString("> **Dollars are not compared:** " + codeSpan(ab.Refused) + ", and " + hundredths(ab.LeastKnown) + " % are needed\n\n")
	}
	for _, s := range ab.Sides {
		b.WriteString("**" + s.Side + "** " + codeSpan(abSet(s)) + " · run " + brief(s.Run) + "  \n")
	}
	p := &mdPage{room: CommentLimit - b.Len() - mdDroppedRoom}
	for _, t := range ab.tables() {
		p.table(t.markdown())
		for i, under := range t.under {
			if under != "" {
				p.write("\n" + codeSpan(t.rows[i][0]) + ": " + codeSpan(under) + "\n")
			}
		}
	}
	if len(p.dropped) > 0 {
		p.b.WriteString("\nLeft out for length: " + strings.Join(p.dropped, ", ") + ".\n")
	}
	_, err := io.WriteString(w, b.String()+p.b.String())
	return err
}
