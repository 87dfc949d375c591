package report

import (
	"io"
	"strconv"
	"strings"
	"time"

	"newel"
)

// Bill is what a run would ask its judges, and what that would cost. Unknown is
// never 0: where UnknownCalls is not zero, USD is a lower end.
type Bill struct {
	Rubrics []BillRubric `json:"rubrics"`
	Models  []BillModel  `json:"models"`
	BillSum
	// Budget is the suite's; nil: none.
	Budget      *newel.Money `json:"budget_usd,omitempty"`
	BudgetState BudgetState  `json:"budget,omitempty"`
	// From and To are when other runs must have paid for a reply for it to cost
	// nothing; nil: each run pays anew. Written says that the suite says so.
	From    *time.Time `json:"reuse_from,omitempty"`
	To      *time.Time `json:"reuse_to,omitempty"`
	Written bool       `json:"cache_written"`
	// Named lists the gateways whose replies are told apart by their name alone,
	// since their url is a variable's.
	Named []string `json:"named_only,omitempty"`
	// Anew says that the bill was asked for without earlier replies.
	Anew bool `json:"no_cache,omitempty"`
	// Sampled says that not all items were looked at; nil: they were.
	Sampled *BillSample `json:"sampled,omitempty"`
}

// BillSum is calls and what they come to.
type BillSum struct {
	Calls  int `json:"calls"`
	Cached int `json:"cached"` // of them, those whose reply an earlier run paid for: they cost nothing
	// Shared counts, beside Calls, what further rows are read from the reply of
	// another row.
	Shared int `json:"shared"`
	ToPay  int `json:"to_pay"`
	// Open is how many more there are at most: whether a judge is asked hangs on
	// an output that is yet to be fetched, or on a layer that does not run yet.
	Open int `json:"open_at_most"`
	// USD is what the calls to pay are likely to cost, as far as that is known;
	// nil: it is known of none. UnknownCalls is of how many it is not.
	USD          *newel.Money `json:"expected_usd"`
	UnknownCalls int          `json:"unknown_calls"`
	// MostUSD is what they cost at worst prices, one attempt each, as far as prices
	// are known; Unbounded is of how many they are not.
	MostUSD   *newel.Money `json:"most_usd"`
	Unbounded int          `json:"unbounded_calls"`
}

// BillRubric is one rubric's part. Settled rows were decided below the judge,
// residual ones were not, and broken ones it is never asked about.
type BillRubric struct {
	Name     string `json:"rubric"`
	Rows     int    `json:"rows"`
	Settled  int    `json:"settled"`
	Residual int    `json:"residual"`
	Broken   int    `json:"broken"`
	Unseen   int    `json:"unseen"`  // rows that hang on what is not there yet
	Drawn    int    `json:"drawn"`   // of the residual
	Audited  int    `json:"audited"` // of the settled
	// AuditCalls are those about audited rows. AuditFixed is the share of settled rows
	// that the plan fixed since the suite does not write audit; nil: it does.
	AuditCalls int      `json:"audit_calls"`
	AuditFixed *float64 `json:"audit_fixed,omitempty"`
	BillSum
}

// BillModel is one model behind one gateway.
type BillModel struct {
	Gateway string       `json:"gateway"`
	Model   string       `json:"model"`
	ToPay   int          `json:"to_pay"`
	USD     *newel.Money `json:"usd_per_call"` // nil: unknown
	// Run is the run whose calls USD is the mean of, N how many; without a run it
	// comes from the price table.
	Run string `json:"run,omitempty"`
	N   int    `json:"n,omitempty"`
	// Priced says that the table has a price: without it no budget holds the model.
	Priced bool `json:"priced"`
}

// BillSample is how many rows of a rubric were looked at, and of how many.
type BillSample struct {
	Rows int `json:"rows"`
	Of   int `json:"of"`
}

// BudgetState says whether a budget holds a bill.
type BudgetState string

const (
	BudgetHolds   BudgetState = "holds"   // also at worst prices
	BudgetLikely  BudgetState = "likely"  // what is expected, not the worst
	BudgetMayNot  BudgetState = "may-not" // not what is expected, which is no more than an estimate
	BudgetShort   BudgetState = "short"   // not even the least that the calls cost
	BudgetUnknown BudgetState = "unknown" // some prices are not known
)

// Line is a bill in one line.
func (s BillSum) Line() string {
	if s.ToPay+s.Open == 0 {
		if s.Calls == 0 {
			return "$0"
		}
		return "$0: " + callsText(0, s.Cached, s.Shared)
	}
	text := s.expected()
	if most := s.most(); s.ToPay > 0 && most != "" {
		text += ", " + most
	}
	text += thereText(s.Cached, s.Shared)
	if s.Open > 0 {
		text += "; at most " + counted(s.Open, "call", "calls") + " more, which hang on what is not there yet"
	}
	return text
}

// expected says what the calls to pay are likely to cost.
func (s BillSum) expected() string {
	calls := counted(s.ToPay, "paid call", "paid calls")
	switch {
	case s.ToPay == 0:
		return "no paid call that is certain"
	case s.USD == nil:
		return "an unknown amount for " + calls
	case s.UnknownCalls > 0:
		return "about " + dollars(*s.USD) + " for " + count(s.ToPay-s.UnknownCalls) + " of " + calls + ", unknown for " + count(s.UnknownCalls)
	}
	return "about " + dollars(*s.USD) + " for " + calls
}

func (s BillSum) most() string {
	switch {
	case s.MostUSD == nil:
		return "without a bound"
	case s.Unbounded > 0:
		return "at most " + dollars(*s.MostUSD) + " without those of unknown price"
	}
	return "at most " + dollars(*s.MostUSD)
}

// BillText writes the bill for people: a line for each rubric, where the prices
// come from, and what a budget makes of it.
func BillText(w io.Writer, b *Bill, opt TextOptions) error {
	p := newPage(w, opt)
	p.title("Judge calls")
	t := &table{columns: []column{names("rubric"), right("rows"), right("left"), right("judged"),
		right("to pay"), right("earlier"), right("shared"), right("expected"), right("at most")}}
	for _, r := range b.Rubrics {
		t.add(billRow(Visible(r.Name), r))
		if notes := billNotes(r); notes != "" {
			t.rows[len(t.rows)-1].under = []string{notes}
		}
	}
	p.table(t)
	for _, r := range b.Rubrics {
		if text := auditText(r, len(b.Rubrics) > 1); text != "" {
			p.item("audit", unsure, text, 0)
		}
	}
	for _, m := range b.Models {
		p.item("price", toneIf(m.USD == nil, unsure), billPrice(m), 0)
	}
	if b.Budget != nil {
		p.item("budget", toneIf(b.BudgetState != BudgetHolds, unsure), budgetText(b), 0)
	}
	p.item("cache", toneIf(b.From == nil, unsure), cacheText(b), 0)
	if s := b.Sampled; s != nil {
		p.item("sampled", unsure, "so many rows were not all looked at: "+count(s.Rows)+" stand for "+count(s.Of)+" of a rubric, and what is counted here is an estimate", 0)
	}
	return p.close()
}

func billRow(name string, r BillRubric) tableRow {
	row := cells(name, count(r.Rows), count(r.Residual), count(r.Drawn+r.Audited),
		count(r.ToPay), count(r.Cached), count(r.Shared), billCell(r.USD, r.UnknownCalls, r.ToPay), billCell(r.MostUSD, r.Unbounded, r.ToPay))
	row.cells[7].tone = toneIf(r.UnknownCalls > 0, unsure)
	row.cells[8].tone = toneIf(r.Unbounded > 0, unsure)
	return row
}

// billCell is an amount of which some part may not be known.
func billCell(usd *newel.Money, unknown, calls int) string {
	switch {
	case calls == 0:
		return "$0"
	case usd == nil:
		return "unknown"
	case unknown > 0:
		return "≥ " + atLeast(*usd)
	}
	return dollars(*usd)
}

func billNotes(r BillRubric) string {
	var notes []string
	if r.Settled > 0 {
		notes = append(notes, counted(r.Settled, "row is", "rows are")+" settled below the judge, "+count(r.Audited)+" of them audited")
	}
	if r.Unseen > 0 {
		notes = append(notes, counted(r.Unseen, "row hangs", "rows hang")+" on what is not there yet: at most "+counted(r.Open, "call", "calls")+" more")
	}
	if r.Broken > 0 {
		notes = append(notes, counted(r.Broken, "row breaks", "rows break")+" below the judge, which is not asked about them")
	}
	return strings.Join(notes, " · ")
}

func billPrice(m BillModel) string {
	text := Visible(m.Model) + " at " + Visible(m.Gateway) + ": "
	switch {
	case m.USD == nil:
		return text + "unknown: no earlier run called it, and the price table does not have it"
	case m.Run != "":
		text += dollars(*m.USD) + " a call, the mean of " + counted(m.N, "call", "calls") + " of run " + Visible(m.Run)
	default:
		text += dollars(*m.USD) + " a call, a guess from the price table: 4 characters a token and answers of 200 tokens"
	}
	if !m.Priced {
		text += "; the price table does not have it, so nobody knows what a call costs at most"
	}
	return text
}

func budgetText(b *Bill) string {
	budget := dollars(*b.Budget)
	switch b.BudgetState {
	case BudgetHolds:
		return budget + " holds it, also at worst prices"
	case BudgetLikely:
		return budget + " likely holds it: what is expected, not the worst. " + guess(b) + stopping
	case BudgetMayNot:
		return budget + " may not hold it: more is expected. " + guess(b) + stopping
	case BudgetShort:
		return budget + " does not hold it, even if each call costs the least it can." + stopping
	}
	return budget + ": whether it holds it is not known, since some prices or calls are not"
}

const stopping = " A run stops where its budget does not hold the next call at its worst price, and goes on with newel resume --budget"

// guess says what an expectation rests on.
func guess(b *Bill) string {
	runs, table := 0, false
	for _, m := range b.Models {
		switch {
		case m.Run != "":
			runs += m.N
		case m.USD != nil:
			table = true
		}
	}
	switch {
	case table && runs > 0:
		return "That rests on the mean of " + counted(runs, "call", "calls") + " before, and for other models on a guess by length."
	case runs > 0:
		return "That rests on the mean of " + counted(runs, "call", "calls") + " before."
	}
	return "That is a guess by length, since no call was made before, and may be far off."
}

// auditText says what an audit costs that nobody wrote; empty: it costs nothing.
func auditText(r BillRubric, several bool) string {
	if r.AuditFixed == nil || r.Settled+r.Unseen == 0 {
		return ""
	}
	share := "all"
	if *r.AuditFixed < 1 {
		share = strconv.FormatFloat(*r.AuditFixed, 'g', 3, 64)
	}
	text := "not written: the judge sees " + share + " of the settled rows as well"
	if several {
		text = Visible(r.Name) + ": " + text
	}
	if r.Settled > 0 {
		text += ", " + count(r.AuditCalls) + " of " + counted(r.Calls, "call", "calls")
	}
	return text + "; write audit: 0.02 for fewer, at the price of knowing less about the layers below"
}

func cacheText(b *Bill) string {
	switch {
	case b.From != nil:
		return "replies that other runs paid for since " + b.From.UTC().Format("2006-01-02 15:04 UTC") + " are used again" + namedOnly(b.Named)
	case b.Anew:
		return "off, since --no-cache: this is what a run with --no-cache pays"
	case b.Written:
		return "off: each run pays anew"
	}
	return "is not written: each run pays anew. Write cache: 30d to use replies of the last 30 days again"
}

// namedOnly says that a gateway behind another url is the same to the cache.
func namedOnly(names []string) string {
	if len(names) == 0 {
		return ""
	}
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = Visible(name)
	}
	return "; those under the name " + strings.Join(list, ", ") + " whatever the value of the url's variable: give another gateway, such as staging, another name"
}
