package newel

// Verdict is what is said about one rubric of one item, or by one scorer.
type Verdict uint8

const (
	// Undecided is a scorer's "not for me to say": the layer above decides.
	// It never stands in a finished row.
	Undecided Verdict = iota
	Pass
	Fail
	// Unjudged is a row that nobody decided: not drawn, or no layer could.
	Unjudged
	// Failed is a row or score that could not be judged at all. It is printed
	// as "error" and is never a fail, never a pass, never a zero.
	Failed
)

var verdictNames = [...]string{"undecided", "pass", "fail", "unjudged", "error"}

// String returns the verdict's name as it stands in reports.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "undecided"
}

// ParseVerdict reads a verdict's name.
func ParseVerdict(name string) (Verdict, bool) {
	for v, n := range verdictNames {
		if n == name {
			return Verdict(v), true
		}
	}
	return Undecided, false
}

// Not turns pass into fail and fail into pass. It leaves everything else,
// errors above all, as it is.
func (v Verdict) Not() Verdict {
	switch v {
	case Pass:
		return Fail
	case Fail:
		return Pass
	}
	return v
}

// Settled reports whether v is a pass or a fail.
func (v Verdict) Settled() bool { return v == Pass || v == Fail }

// Layer is a rung of the ladder.
type Layer uint8

const (
	NoLayer Layer = iota
	Floor
	Classifier
	Judge
)

var layerNames = [...]string{"", "floor", "classifier", "judge"}

// String returns the layer's name, empty for NoLayer.
func (l Layer) String() string {
	if int(l) < len(layerNames) {
		return layerNames[l]
	}
	return ""
}

// Settles says what a floor check's own verdict decides for its rubric.
type Settles uint8

const (
	// SettlesFail lets a miss settle as fail; a hit goes on. It is the default
	// under a higher layer.
	SettlesFail Settles = iota
	// SettlesPass lets a hit settle as pass; a miss goes up.
	SettlesPass
	SettlesBoth
	SettlesNone
)

var settlesNames = [...]string{"fail", "pass", "both", "none"}

// String returns the word that a suite writes.
func (s Settles) String() string { return settlesNames[s&3] }

// ParseSettles reads the word that a suite writes.
func ParseSettles(word string) (Settles, bool) {
	for s, n := range settlesNames {
		if n == word {
			return Settles(s), true
		}
	}
	return SettlesFail, false
}

// SettlesWords lists what ParseSettles accepts.
func SettlesWords() []string { return settlesNames[:] }

// Reasons of an unjudged row.
const (
	Undrawn       = "undrawn"  // the sample left it out
	NoLayerReason = "no-layer" // no layer could decide
	Measured      = "measured" // the rubric only reports numbers: nothing to decide
)

// ErrorKind classes the ways in which a score or row can be impossible.
type ErrorKind string

const (
	KindCase       ErrorKind = "case"       // the case lacks what the check asks of it
	KindDefinition ErrorKind = "definition" // a parameter taken from the case has the wrong form
	KindLimit      ErrorKind = "limit"      // a step, cost or size bound was passed
	KindTimeout    ErrorKind = "timeout"
	KindTarget     ErrorKind = "target" // the system under test did not answer
	KindGateway    ErrorKind = "gateway"
	KindWorker     ErrorKind = "worker"
	KindCrashed    ErrorKind = "crashed" // its workers died three times
	KindTooLarge   ErrorKind = "too-large"
	KindProtocol   ErrorKind = "protocol"
	KindUnparsable ErrorKind = "unparsable"
	KindInternal   ErrorKind = "internal" // a fault of newel itself
	// The kinds below are no row's: the item was not scored, because the run was
	// stopped or its budget is spent. Resume offers it again.
	KindWithheld ErrorKind = "withheld"
	KindSpent    ErrorKind = "spent"
)

// Withheld reports whether an item with such an error has no row.
func (k ErrorKind) Withheld() bool { return k == KindWithheld || k == KindSpent }

// Retryable reports whether asking again may help.
func (k ErrorKind) Retryable() bool {
	switch k {
	case KindGateway, KindTimeout, KindTarget, KindWorker:
		return true
	}
	return false
}
