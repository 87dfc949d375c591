package newel

import "time"

// Summary is everything a report shows, computed once. Its JSON is the stable
// form of "report --as json"; fields are added, never changed.
type Summary struct {
	Run       string            `json:"run"`
	Labels    map[string]string `json:"labels"`
	Suite     SuiteRef          `json:"suite"`
	Plan      PlanRef           `json:"plan"`
	Digest    string            `json:"digest,omitempty"` // of a full ledger
	Runner    string            `json:"runner"`
	State     State             `json:"state"`
	Ledger    Ledger            `json:"ledger"` // of rows
	Cases     Ledger            `json:"cases"`  // of items: the outcome over all rubrics
	Rubrics   []RubricSummary   `json:"rubrics"`
	Agreement []Agreement       `json:"agreement"`
	Slices    []Slice           `json:"slices"`
	Cost      Cost              `json:"cost"`
	Gate      *GateSummary      `json:"gate,omitempty"`
	// Unfinished is what judges were paid for in a run that is not complete; nil
	// where it is, and where none of its judges asks a gateway.
	Unfinished *Unfinished `json:"unfinished,omitempty"`
	Times      Times       `json:"times"`
	// Selection says what a run was narrowed to; nil: the whole suite.
	Selection  *Selection       `json:"selection,omitempty"`
	Quarantine []QuarantineLine `json:"quarantine,omitempty"`
	Failing    []FailingCase    `json:"failing,omitempty"` // the first few, by case
	Warnings   []string         `json:"warnings,omitempty"`
}

// SuiteRef names the definition.
type SuiteRef struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// PlanRef names the plan.
type PlanRef struct {
	Digest  string `json:"digest"`
	Items   int    `json:"items"`
	Cases   int    `json:"cases"`
	Rubrics int    `json:"rubrics"`
	Trials  int    `json:"trials"`
}

// Ledger adds up: planned = pass + fail + unjudged + error, once a run is
// complete.
type Ledger struct {
	Planned  int `json:"planned"`
	Pass     int `json:"pass"`
	Fail     int `json:"fail"`
	Unjudged int `json:"unjudged"`
	Error    int `json:"error"`
}

// Count adds one row.
func (l *Ledger) Count(v Verdict) {
	switch v {
	case Pass:
		l.Pass++
	case Fail:
		l.Fail++
	case Unjudged:
		l.Unjudged++
	case Failed:
		l.Error++
	}
}

// Done is how many rows are there.
func (l Ledger) Done() int { return l.Pass + l.Fail + l.Unjudged + l.Error }

// Full reports whether every planned row is there.
func (l Ledger) Full() bool { return l.Planned == l.Done() }

// RubricSummary is one rubric's part of the report. Rate and Interval are nil
// where there is nothing to estimate from.
type RubricSummary struct {
	Name       string      `json:"name"`
	Ledger     Ledger      `json:"ledger"`
	Rate       *float64    `json:"rate"`
	Interval   *[2]float64 `json:"interval"`
	Confidence float64     `json:"confidence"`
	Method     string      `json:"method"`
	Clusters   int         `json:"clusters"`
	Bounds     *[2]float64 `json:"bounds,omitempty"` // Manski, when rows are missing
	// Strata are the groups of rows that the rate of a rubric with a judge is put
	// together from, the residual last.
	Strata      []Stratum      `json:"strata,omitempty"`
	Layers      LayerCounts    `json:"layers"`
	Values      []ValueSummary `json:"values"`
	Checks      []CheckSummary `json:"checks"`
	Errors      map[string]int `json:"errors"`
	Quarantined int            `json:"quarantined,omitempty"`
	MeasureOnly bool           `json:"measure_only,omitempty"`
	// Choices is what the judge chose; nil: it was not asked for one, or has made
	// none.
	Choices *ChoiceSummary `json:"choices,omitempty"`
}

// Stratum is a group of a rubric's rows by who settled them below the judge:
// the judge's verdicts on some stand for all of it. Rows in quarantine are in
// none.
type Stratum struct {
	Layer   string   `json:"layer,omitempty"` // floor or classifier; empty: the residual
	Verdict string   `json:"verdict,omitempty"`
	Rows    int      `json:"rows"`
	Decided int      `json:"decided"` // rows with a final or a judge's verdict
	Missing int      `json:"missing,omitempty"`
	Rate    *float64 `json:"rate"` // share of its rows that pass, as estimated
	Audit   *Audited `json:"audit,omitempty"`
}

// Audited is what the judge found where a layer below had settled.
type Audited struct {
	N        int         `json:"n"` // rows that the judge saw
	Wrong    int         `json:"wrong"`
	Error    *float64    `json:"error"`
	Interval *[2]float64 `json:"interval"` // each end one-sided; all strata of a rubric share 5 %
	// Allowed and State are absent for a floor's fail, which is final.
	Allowed *float64   `json:"allowed,omitempty"`
	State   AuditState `json:"state,omitempty"`
}

// AuditState says whether what a layer settled is as right as was promised.
type AuditState string

const (
	AuditKept     AuditState = "kept"     // surely within the allowance
	AuditUnproven AuditState = "unproven" // too few audited to say
	AuditAlarm    AuditState = "alarm"    // surely worse than allowed
)

// LayerCounts says how many rows each layer decided.
type LayerCounts struct {
	Floor      int `json:"floor"`
	Classifier int `json:"classifier"`
	Judge      int `json:"judge"`
}

// ValueSummary is the distribution of one scorer's value.
type ValueSummary struct {
	Scorer   string      `json:"scorer"`
	N        int         `json:"n"`
	Mean     float64     `json:"mean"`
	Interval *[2]float64 `json:"interval"`
	P50      float64     `json:"p50"`
	Min      float64     `json:"min"`
	Max      float64     `json:"max"`
}

// CheckSummary counts one check's own verdicts.
type CheckSummary struct {
	Check     string `json:"check"`
	Pass      int    `json:"pass"`
	Fail      int    `json:"fail"`
	Undecided int    `json:"undecided"`
	Error     int    `json:"error"`
}

// Agreement compares a rubric's verdicts with people's labels, over rows that
// have both. Positive is pass; where labels are choices, precision, recall and F1
// are the plain means over the choices, and replies that could not be read are
// left out.
type Agreement struct {
	Rubric    string   `json:"rubric"`
	N         int      `json:"n"`
	Agree     int      `json:"agree"`
	Accuracy  *float64 `json:"accuracy"`
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
	Kappa     *float64 `json:"kappa"`
	// Table counts label/verdict pairs, in the order pass/pass, pass/fail,
	// fail/pass, fail/fail; zeros where labels are choices.
	Table    [4]int           `json:"table"`
	Unjudged int              `json:"unjudged"` // labelled rows without a verdict to compare
	Choices  *ChoiceAgreement `json:"choices,omitempty"`
	Raters   *RaterAgreement  `json:"raters,omitempty"`
}

// ChoiceAgreement compares a judge's choices with people's.
type ChoiceAgreement struct {
	Names    []string `json:"names"`    // that people or the judge chose, sorted
	Table    [][]int  `json:"table"`    // by label, then by choice
	Unparsed []int    `json:"unparsed"` // by label: replies that could not be read
	// Counted has the replies that could not be read as wrong answers: each misses
	// its label and claims no choice.
	Counted ChoiceFigures `json:"counted"`
	// LeftOut has them left out.
	LeftOut ChoiceFigures `json:"left_out"`
}

// ChoiceFigures are accuracy, the plain means of precision, recall and F1 over
// the choices, and Cohen's kappa.
type ChoiceFigures struct {
	N         int      `json:"n"`
	Agree     int      `json:"agree"`
	Accuracy  *float64 `json:"accuracy"`
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
	Kappa     *float64 `json:"kappa"`
}

// RaterAgreement compares people with each other, once a case.
type RaterAgreement struct {
	Cases int         `json:"cases"` // with labels of two people at least
	Alpha *float64    `json:"alpha"` // Krippendorff's, labels equal or not
	Pairs []RaterPair `json:"pairs"`
}

// RaterPair is two people's agreement: Cohen's kappa over the cases that both
// labelled. A list of labels numbers its raters from 1.
type RaterPair struct {
	A     string   `json:"a"`
	B     string   `json:"b"`
	N     int      `json:"n"`
	Agree int      `json:"agree"`
	Kappa *float64 `json:"kappa"`
}

// Slice is one rubric within one value of one or more dimensions.
type Slice struct {
	Dims      map[string]string `json:"dims"`
	Rubric    string            `json:"rubric"`
	Ledger    Ledger            `json:"ledger"`
	Rate      *float64          `json:"rate"`
	Interval  *[2]float64       `json:"interval"`
	Agreement *Agreement        `json:"agreement,omitempty"`
}

// Cost is what a run cost. Unknown is never 0: where UnknownCalls, PartlyKnown or
// Lost is not zero, USD is a lower end.
type Cost struct {
	USD          Money `json:"usd"`
	UnknownCalls int   `json:"unknown_calls"`
	// PartlyKnown counts calls whose cost is in USD, but for earlier attempts that
	// may have been billed too.
	PartlyKnown int `json:"partly_known_calls"`
	// Lost counts attempts that were under way when their process ended, or still
	// are: nobody knows whether they were billed.
	Lost  int `json:"lost_attempts"`
	Calls int `json:"calls"` // that the run paid for, replies that came second and failures among them
	// Cached counts what rows were read from besides: replies of earlier runs, and,
	// Shared of them, replies that another row of the run had brought.
	Cached          int `json:"cached"`
	Shared          int `json:"shared"`
	PaidTwiceAtMost int `json:"paid_twice_at_most"`
	// UnknownAtMost is what all that is not known comes to at most, as far as models
	// are priced; Unbounded says that some are not.
	UnknownAtMost Money            `json:"unknown_at_most_usd"`
	Unbounded     bool             `json:"unbounded,omitempty"`
	TargetCalls   int              `json:"target_calls"`
	ByRubric      map[string]Money `json:"by_rubric"`
	ByModel       map[string]Money `json:"by_model"`
}

// GateState is the outcome of a rule or of the whole gate.
type GateState string

const (
	GatePassed       GateState = "passed"
	GateFailed       GateState = "failed"
	GateInconclusive GateState = "inconclusive"
	GateInvalid      GateState = "invalid"
)

// GateSummary is the gate's verdict on a run.
type GateSummary struct {
	State    GateState `json:"state"`
	Baseline string    `json:"baseline,omitempty"`
	// BaselineRun is its run's id where it lies in the same store.
	BaselineRun string     `json:"baseline_run,omitempty"`
	Rules       []GateRule `json:"rules"`
}

// GateRule is one rule's verdict with the numbers it was read from.
type GateRule struct {
	Rule       string      `json:"rule"` // as a person reads it
	Rubric     string      `json:"rubric,omitempty"`
	State      GateState   `json:"state"`
	Why        string      `json:"why"`
	Cases      []string    `json:"cases"`                 // failing, or broken against the baseline: the first few
	FixedCases []string    `json:"fixed_cases,omitempty"` // fixed against the baseline: the first few
	Advisory   bool        `json:"advisory,omitempty"`
	Default    bool        `json:"default,omitempty"` // not written: it holds where no rule says otherwise
	Point      *float64    `json:"point,omitempty"`
	Interval   *[2]float64 `json:"interval,omitempty"`
	Bounds     *[2]float64 `json:"bounds,omitempty"`
	N          int         `json:"n,omitempty"`
	Missing    int         `json:"missing,omitempty"`
	Clusters   int         `json:"clusters,omitempty"`
	NStar      *float64    `json:"n_star,omitempty"`
	P          *float64    `json:"p,omitempty"`
	PAdjusted  *float64    `json:"p_adjusted,omitempty"`
	MDE        *float64    `json:"mde,omitempty"`
	Broken     int         `json:"broken,omitempty"` // pairs that passed before and fail now
	Fixed      int         `json:"fixed,omitempty"`
	Unpaired   int         `json:"unpaired,omitempty"`
	McNemar    *[2]float64 `json:"mcnemar,omitempty"` // one-sided, two-sided; never decisive
	Looks      int         `json:"looks,omitempty"`
}

// Times says when a run was made, begun and sealed.
type Times struct {
	Created time.Time `json:"created"`
	Started time.Time `json:"started,omitzero"`
	Sealed  time.Time `json:"sealed,omitzero"`
	// WallMS is from the plan to the seal, with the time in which a run that was
	// stopped stood still.
	WallMS int64 `json:"wall_ms"`
}

// Selection narrows a run to some cases or rubrics.
type Selection struct {
	Where   string   `json:"where,omitempty"`
	Limit   int      `json:"limit,omitempty"`
	Rubrics []string `json:"rubrics,omitempty"`
}

// QuarantineLine is a case counted apart until a date.
type QuarantineLine struct {
	ID    string `json:"id"`
	Until string `json:"until"`
	Why   string `json:"why"`
	State string `json:"state"` // in force, over, or not in the data
}

// FailingCase names a failing row with its reason.
type FailingCase struct {
	Case   string `json:"case"` // as Item.Show
	Rubric string `json:"rubric"`
	Check  string `json:"check"`
	Why    string `json:"why"`
}
