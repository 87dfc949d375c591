package eval

import (
	"context"
	"strings"

	"newel"
	"newel/gate"
	"newel/stat"
)

// Fold sums up a run's items. Memory grows with rubrics, slices and clusters,
// not with items that stand alone.
type Fold struct {
	run      *newel.Run
	opt      FoldOptions
	level    stat.Level
	cases    newel.Ledger
	rubrics  []*rubricFold
	slices   map[string]*sliceFold
	crowded  map[string]bool // slices with too many values
	clusters *gate.Clusters
	digest   *Digest
	cost     newel.Cost
	calls    calls
	failing  []newel.FailingCase
	labels   *LabelCount
	last     string // the case before
	begun    bool
	full     bool
}

// FoldOptions says what to sum up. The zero value is a whole report.
type FoldOptions struct {
	// Slices lists the combinations of dimensions to slice by; nil: each
	// dimension by itself.
	Slices [][]string
	// Failing is how many failing rows are named; 0 means 10.
	Failing int
	// Confidence of the intervals; 0 means 0.95.
	Confidence float64
	// Allowance is how much of what was settled below a judge may be wrong before
	// an audit alarms.
	Allowance gate.Allowance
	// Choices lists, by rubric, what its judge may choose; what is not listed is
	// shown where it was chosen.
	Choices [][]string
	// NoDigest leaves the digest out, which is most of the work.
	NoDigest bool
}

// maxSlices is how many values of one combination of dimensions are told
// apart; past that it is left out with a warning.
const maxSlices = 1000

// cell is one rubric over all items, or over those of one slice.
type cell struct {
	ledger    newel.Ledger
	tally     stat.Tally
	agreement agreementFold
}

type rubricFold struct {
	cell
	layers      newel.LayerCounts
	errors      map[string]int
	checks      map[string]*newel.CheckSummary
	values      map[string]*valueFold
	quarantined int
	audit       gate.Audit // of a rubric with a judge
	raters      raterFold
	chosen      chosenFold
}

type sliceFold struct {
	dims  []newel.Dim
	cells []*cell
}

// NewFold returns an empty fold for a run.
func NewFold(run *newel.Run, opt FoldOptions) *Fold {
	if opt.Failing == 0 {
		opt.Failing = 10
	}
	if opt.Confidence == 0 {
		opt.Confidence = 0.95
	}
	f := &Fold{run: run, opt: opt, level: stat.Level{Confidence: opt.Confidence}, slices: map[string]*sliceFold{},
		crowded: map[string]bool{}, cost: newel.Cost{ByRubric: map[string]newel.Money{}, ByModel: map[string]newel.Money{}}, clusters: gate.NewClusters(&run.Plan), full: true,
		labels: NewLabelCount(run.Plan.Rubrics, run.Plan.Measures, run.Plan.Judged)}
	if !opt.NoDigest {
		f.digest = NewDigest(&run.Plan)
	}
	for range run.Plan.Rubrics {
		f.rubrics = append(f.rubrics, &rubricFold{errors: map[string]int{}, checks: map[string]*newel.CheckSummary{}, values: map[string]*valueFold{}})
	}
	return f
}

// Summarise scans a run and sums it up.
func Summarise(ctx context.Context, store newel.Store, run *newel.Run, opt FoldOptions) (*newel.Summary, error) {
	f := NewFold(run, opt)
	defer f.Close()
	if err := Scan(ctx, store, run, true, f.Add); err != nil {
		return nil, err
	}
	if err := f.Bill(ctx, store); err != nil {
		return nil, err
	}
	return f.Summary()
}

// Add takes in one item.
func (f *Fold) Add(it *newel.ItemRows) error {
	cluster := f.clusters.Of(it)
	if first := !f.begun || it.Case != f.last; first && !it.Quarantined {
		f.labels.Add(it.Labels, it.Applies)
		f.addRaters(it)
	}
	f.begun, f.last = true, it.Case
	verdict, counted := newel.Undecided, false
	slices := f.slicesOf(it)
	for i, r := range f.rubrics {
		if !it.Applies.Has(i) {
			continue
		}
		r.ledger.Planned++
		for _, s := range slices {
			s.cells[i].ledger.Planned++
		}
		res := resultOf(it, i)
		if !f.run.Plan.Measures[i] {
			counted = true
			if res != nil {
				verdict = newel.Worst(verdict, res.Verdict)
			}
		}
		if res == nil {
			continue
		}
		f.row(r, it, res, i, cluster, slices)
	}
	f.count(it, verdict, counted)
	if !it.Done {
		return nil
	}
	f.calls.add(it)
	if it.Fetched != nil {
		if err := f.charge(it); err != nil {
			return err
		}
	}
	if f.digest != nil && f.full {
		return f.digest.Add(it)
	}
	return nil
}

// count adds the item to the ledger of cases.
func (f *Fold) count(it *newel.ItemRows, verdict newel.Verdict, counted bool) {
	if !it.Done {
		f.full = false
	}
	if !counted {
		return
	}
	f.cases.Planned++
	if it.Done {
		f.cases.Count(verdict)
	}
}

// Close lets go of temporary files.
func (f *Fold) Close() {
	if f.digest != nil {
		f.digest.Close()
	}
}

func resultOf(it *newel.ItemRows, rubric int) *newel.Result {
	for i := range it.Results {
		if it.Results[i].Rubric == rubric {
			return &it.Results[i]
		}
	}
	return nil
}

func (f *Fold) row(r *rubricFold, it *newel.ItemRows, res *newel.Result, i int, cluster int32, slices []*sliceFold) {
	plan := &f.run.Plan
	r.ledger.Count(res.Verdict)
	r.layer(res)
	for k := range res.Scores {
		r.score(&res.Scores[k], cluster)
	}
	f.fail(it, res, i)
	label := newel.Find(it.Labels, plan.Rubrics[i])
	row := gate.RowOf(res, plan.Judged[i])
	row.Cluster = cluster
	counted := !plan.Measures[i] && !it.Quarantined
	if counted {
		r.tally.Add(row)
		if plan.Judged[i] {
			r.audit.Add(res)
		}
	}
	if it.Quarantined {
		r.quarantined++
	} else {
		r.agreement.add(label, res)
		r.chosen.add(res)
	}
	for _, s := range slices {
		c := s.cells[i]
		c.ledger.Count(res.Verdict)
		if !it.Quarantined {
			c.agreement.add(label, res)
		}
		if counted {
			c.tally.Add(row)
		}
	}
}

func (r *rubricFold) layer(res *newel.Result) {
	switch res.Layer {
	case newel.Floor:
		r.layers.Floor++
	case newel.Classifier:
		r.layers.Classifier++
	case newel.Judge:
		r.layers.Judge++
	}
	if res.Err != nil {
		r.errors[string(res.Err.Kind)]++
	}
}

func (r *rubricFold) score(s *newel.Score, cluster int32) {
	c := r.checks[s.Scorer]
	if c == nil {
		c = &newel.CheckSummary{Check: strings.Clone(s.Scorer)}
		r.checks[c.Check] = c
	}
	switch s.Verdict {
	case newel.Pass:
		c.Pass++
	case newel.Fail:
		c.Fail++
	case newel.Failed:
		c.Error++
	default:
		c.Undecided++
	}
	if !s.HasValue {
		return
	}
	v := r.values[c.Check]
	if v == nil {
		v = newValueFold()
		r.values[c.Check] = v
	}
	v.add(s.Value, cluster)
}

// fail names the row when it is among the first that fail or err.
func (f *Fold) fail(it *newel.ItemRows, res *newel.Result, rubric int) {
	if len(f.failing) >= f.opt.Failing || (res.Verdict != newel.Fail && res.Verdict != newel.Failed) {
		return
	}
	line := newel.FailingCase{Case: it.Show(f.run.Plan.Trials), Rubric: f.run.Plan.Rubrics[rubric]}
	for i := range res.Scores {
		s := &res.Scores[i]
		if s.Verdict == res.Verdict {
			line.Check, line.Why = s.Scorer, s.Explanation
			if s.Err != nil {
				line.Why = s.Err.Error()
			}
			break
		}
	}
	if line.Why == "" && res.Err != nil {
		line.Why = res.Err.Error()
	}
	f.failing = append(f.failing, line)
}
