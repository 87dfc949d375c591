package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"newel"
	"newel/report"
)

// callModel is who is asked.
type callModel struct{ gateway, model string }

// biller turns the calls that a plan would make into a bill.
type biller struct {
	asking *asking
	past   *past
	window newel.Window
	models map[callModel]*modelBill
	seen   map[newel.Hash]bool
}

// modelBill adds up one model's calls that are to be paid.
type modelBill struct {
	report.BillModel
	likely newel.Money // by the table
}

// leastOf is what the calls to pay cost in any case, as far as prices are known.
func (b *biller) leastOf(rows map[*askedRubric][]wantedCall, kept map[newel.Hash]bool) (sum newel.Money) {
	seen := map[newel.Hash]bool{}
	for _, calls := range rows {
		for _, c := range calls {
			if !seen[c.key] && !kept[c.key] {
				sum = saturated(sum, c.least, c.weight)
			}
			seen[c.key] = true
		}
	}
	return sum
}

// bill ends the asking of a complete plan: which audited rows are drawn is known
// now.
func (k *asking) bill(ctx context.Context, plan *newel.Plan, p *past, window newel.Window) (*report.Bill, error) {
	b := &biller{k, p, window, map[callModel]*modelBill{}, map[newel.Hash]bool{}}
	rows := map[*askedRubric][]wantedCall{}
	for _, r := range k.rubrics {
		if r == nil {
			continue
		}
		if r.index < len(plan.Audits) {
			r.audit = plan.Audits[r.index]
		}
		rows[r] = r.taken()
	}
	kept, err := b.kept(ctx, rows)
	if err != nil {
		return nil, err
	}
	out := &report.Bill{Rubrics: []report.BillRubric{}, Models: []report.BillModel{}}
	for _, r := range k.rubrics {
		if r != nil {
			b.known(r, rows[r], kept)
		}
	}
	if err := b.prices(ctx); err != nil {
		return nil, err
	}
	clear(b.seen)
	for _, r := range k.rubrics {
		if r == nil {
			continue
		}
		one := b.rubric(r, rows[r], kept)
		addSum(&out.BillSum, one.BillSum)
		out.Rubrics = append(out.Rubrics, one)
	}
	nothing(&out.BillSum)
	for _, key := range slices.SortedFunc(maps.Keys(b.models), func(a, b callModel) int {
		return cmp.Or(cmp.Compare(a.gateway, b.gateway), cmp.Compare(a.model, b.model))
	}) {
		out.Models = append(out.Models, b.models[key].BillModel)
	}
	k.finish(out, window, b.leastOf(rows, kept))
	return out, nil
}

// taken lists the calls of rows that are judged, in the order of the plan.
func (r *askedRubric) taken() []wantedCall {
	out := slices.DeleteFunc(r.calls, func(c wantedCall) bool { return c.settled && c.draw >= r.audit })
	slices.SortStableFunc(out, func(a, b wantedCall) int { return cmp.Compare(a.item, b.item) })
	return out
}

// finish says what budget and cache make of the bill.
func (k *asking) finish(out *report.Bill, window newel.Window, least newel.Money) {
	s := k.suite
	if s.Budget > 0 {
		out.Budget = &s.Budget
		out.BudgetState = budgetState(s.Budget, least, out.BillSum)
	}
	out.Written = s.CacheWritten()
	if !window.IsZero() {
		from, to := window.From.UTC(), window.To.UTC()
		out.From, out.To = &from, &to
		out.Named = k.named()
	}
	looked, all := 0, 0
	for _, r := range k.rubrics {
		if r != nil {
			looked, all = max(looked, r.looked), max(all, r.rows)
		}
	}
	if looked < all {
		out.Sampled = &report.BillSample{Rows: looked, Of: all}
	}
}

// named lists the gateways whose url is a variable's: what tells their replies
// apart is the name alone.
func (k *asking) named() []string {
	var out []string
	for name, g := range k.suite.Gateways(nil) {
		if g.Name != "" && strings.Contains(g.URL, "${") && k.clients[name] != nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// budgetState holds a budget against a bill, whose least is sure, as its most is;
// what is expected is not.
func budgetState(budget, least newel.Money, s report.BillSum) report.BudgetState {
	switch {
	case least > budget:
		return report.BudgetShort
	case s.USD != nil && *s.USD > budget:
		return report.BudgetMayNot
	case s.Unbounded > 0 || s.UnknownCalls > 0 || s.Open > 0:
		return report.BudgetUnknown
	case s.MostUSD != nil && *s.MostUSD > budget:
		return report.BudgetLikely
	}
	return report.BudgetHolds
}

// kept looks up which of the calls have a reply that may be used again.
func (b *biller) kept(ctx context.Context, rows map[*askedRubric][]wantedCall) (map[newel.Hash]bool, error) {
	if b.past == nil || b.window.IsZero() {
		return nil, nil
	}
	var keys []newel.Hash
	seen := map[newel.Hash]bool{}
	for _, calls := range rows {
		for _, c := range calls {
			if !seen[c.key] {
				seen[c.key] = true
				keys = append(keys, c.key)
			}
		}
	}
	return b.past.replies(ctx, keys, b.window)
}

// each visits the calls of a rubric that are its own to pay: the first row that
// asks pays. It returns the weight of calls that another row asks already.
func (b *biller) each(calls []wantedCall, visit func(c *wantedCall)) (shared int) {
	for i := range calls {
		if b.seen[calls[i].key] {
			shared += calls[i].weight
			continue
		}
		b.seen[calls[i].key] = true
		visit(&calls[i])
	}
	return shared
}

// known gathers the models whose calls are to be paid.
func (b *biller) known(r *askedRubric, calls []wantedCall, kept map[newel.Hash]bool) {
	b.each(calls, func(c *wantedCall) {
		if kept[c.key] {
			return
		}
		m := b.model(r, c.model)
		m.ToPay += c.weight
		m.Priced = c.priced
		m.N++
		m.likely = saturated(m.likely, c.likely, 1)
	})
}

func (b *biller) model(r *askedRubric, name string) *modelBill {
	key := callModel{r.Judge.Def.Gateway, name}
	m := b.models[key]
	if m == nil {
		m = &modelBill{BillModel: report.BillModel{Gateway: key.gateway, Model: key.model}}
		b.models[key] = m
	}
	return m
}

// prices finds what a call of each model costs: by calls that were made, else by
// the table.
func (b *biller) prices(ctx context.Context) error {
	means, err := b.past.means(ctx, b.asking.suite.Name, b.models)
	if err != nil {
		return err
	}
	for key, m := range b.models {
		n := m.N
		m.N = 0
		if mean, ok := means[key]; ok {
			m.USD, m.Run, m.N = &mean.usd, mean.run, mean.n
		} else if m.Priced && n > 0 {
			usd := m.likely / newel.Money(n)
			m.USD = &usd
		}
	}
	return nil
}

// rubric adds a rubric's calls up.
func (b *biller) rubric(r *askedRubric, calls []wantedCall, kept map[newel.Hash]bool) report.BillRubric {
	out := report.BillRubric{Name: r.Name, Rows: r.rows, Settled: r.settled, Residual: r.residual, Broken: r.broken, Unseen: r.unready, Drawn: r.drawn}
	if r.Audit() < 0 {
		out.AuditFixed = &r.audit
	}
	last := -1
	for _, c := range calls {
		if c.settled && c.item != last {
			out.Audited += c.weight
			last = c.item
		}
	}
	for _, u := range r.unseen {
		if u.draw < max(r.sample, r.audit) {
			out.Open += u.weight * u.calls
		}
	}
	out.Shared = b.each(calls, func(c *wantedCall) {
		out.Calls += c.weight
		if c.settled {
			out.AuditCalls += c.weight
		}
		if kept[c.key] {
			out.Cached += c.weight
			return
		}
		out.ToPay += c.weight
		b.pay(&out.BillSum, b.model(r, c.model), c)
	})
	nothing(&out.BillSum)
	return out
}

// nothing says of calls of which none is to be paid that they cost nothing.
func nothing(s *report.BillSum) {
	if s.ToPay == 0 {
		s.USD, s.MostUSD = new(newel.Money), new(newel.Money)
	}
}

// pay adds one call that is to be paid.
func (b *biller) pay(s *report.BillSum, m *modelBill, c *wantedCall) {
	switch {
	case m.USD == nil:
		s.UnknownCalls += c.weight
	case m.Run != "":
		s.USD = plus(s.USD, *m.USD, c.weight)
	default:
		s.USD = plus(s.USD, c.likely, c.weight)
	}
	if c.priced {
		s.MostUSD = plus(s.MostUSD, c.worst, c.weight)
	} else {
		s.Unbounded += c.weight
	}
}

// plus adds an amount so many times to a sum that may not be there yet.
func plus(sum *newel.Money, m newel.Money, times int) *newel.Money {
	from := newel.Money(0)
	if sum != nil {
		from = *sum
	}
	out := saturated(from, m, times)
	return &out
}

// saturated is sum + times × m, or the most that money holds: an estimate
// beyond nine million dollars need not be exact.
func saturated(sum, m newel.Money, times int) newel.Money {
	const most = newel.Money(1<<63 - 1)
	if m > 0 && newel.Money(times) > (most-sum)/m {
		return most
	}
	return sum + newel.Money(times)*m
}

// addSum adds a rubric's part to the whole.
func addSum(to *report.BillSum, s report.BillSum) {
	to.Calls += s.Calls
	to.Cached += s.Cached
	to.Shared += s.Shared
	to.ToPay += s.ToPay
	to.Open += s.Open
	to.UnknownCalls += s.UnknownCalls
	to.Unbounded += s.Unbounded
	if s.USD != nil && s.ToPay > 0 {
		to.USD = plus(to.USD, *s.USD, 1)
	}
	if s.MostUSD != nil && s.ToPay > 0 {
		to.MostUSD = plus(to.MostUSD, *s.MostUSD, 1)
	}
}
