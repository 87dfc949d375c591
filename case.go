package newel

import "strings"

// Case is an authored example. Fields that may hold any JSON are kept as
// text and decoded when somebody asks; nil means absent.
type Case struct {
	ID        string
	Input     Raw       // text, or chat messages
	Output    Raw       // text, JSON, messages or tool calls
	Outputs   []Named   // name → output, for pairs; sorted by name
	Reference Raw       // any JSON
	Context   []Passage // what the output had to stay grounded in
	Media     []Media
	Turns     []string // user texts, sent one after another
	Dims      []Dim    // slices of the report; sorted by name
	Tags      []string
	Vars      []Named // what checks and prompts may read; sorted by name
	Labels    []Named // rubric → a person's pass, fail, number or choice; sorted by name
	Raters    []Named // rubric → labels of several people; sorted by name
	Cluster   string  // cases from one source share it; empty: the case stands alone
	Checks    Raw     // the case's own checks
	Criteria  Raw     // the case's own criteria
	Run       Raw     // latency_ms, cost_usd and usage of a recorded output
}

// Named is a name and a JSON value.
type Named struct {
	Name  string
	Value Raw
}

// Dim is one dimension of a case: a scalar as text.
type Dim struct {
	Name, Value string
}

// Passage is one text of a case's context. ID is empty where none was given.
type Passage struct {
	ID, Text string
}

// Media is a picture, sound or other file that belongs to a case.
type Media struct {
	Path   string `json:"path,omitempty"`
	URL    string `json:"url,omitempty"`
	Type   string `json:"type,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// Find returns the value called name, nil if there is none.
func Find(list []Named, name string) Raw {
	for i := range list {
		if list[i].Name == name {
			return list[i].Value
		}
	}
	return nil
}

// FindDim returns the value of dimension name.
func FindDim(dims []Dim, name string) (string, bool) {
	for _, d := range dims {
		if d.Name == name {
			return d.Value, true
		}
	}
	return "", false
}

// Item is what gets scored: one case, one combination of the matrix, one
// trial, all rubrics.
type Item struct {
	N      int // its number in the plan
	Case   *Case
	Matrix []Dim // sorted by name; empty without a matrix
	Trial  int   // 1, 2, …
}

// ItemID names an item whatever its plan: the first 16 bytes of the SHA-256
// of canonical JSON [case id, matrix, trial].
type ItemID [16]byte

// ID returns the item's id.
func (it *Item) ID() ItemID {
	return ItemIDOf(it.Case.ID, it.Matrix, it.Trial)
}

// ItemIDOf returns the id of a case's combination and trial; matrix is sorted
// by name.
func ItemIDOf(caseID string, matrix []Dim, trial int) ItemID {
	buf := make([]byte, 0, 128)
	buf = AppendItemKey(buf, caseID, matrix, trial)
	h := HashOf(buf)
	return ItemID(h[:16])
}

// AppendItemKey adds the canonical JSON [case id, matrix, trial].
func AppendItemKey(buf []byte, caseID string, matrix []Dim, trial int) []byte {
	buf = AppendString(append(buf, '['), caseID)
	buf = append(buf, ',', '{')
	for i, d := range matrix {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = AppendString(buf, d.Name)
		buf = AppendString(append(buf, ':'), d.Value)
	}
	buf = append(buf, '}', ',')
	buf = appendInt(buf, trial)
	return append(buf, ']')
}

// Show returns how people read an item: case|lang=de|#2. The trial is left
// out when trials is 1.
func (it *Item) Show(trials int) string { return ShowItem(it.Case.ID, it.Matrix, it.Trial, trials) }

// ShowItem is Item.Show for the parts of an item.
func ShowItem(caseID string, matrix []Dim, trial, trials int) string {
	if len(matrix) == 0 && trials <= 1 {
		return caseID
	}
	var b strings.Builder
	b.WriteString(caseID)
	for _, d := range matrix {
		b.WriteString("|" + d.Name + "=" + d.Value)
	}
	if trials > 1 {
		b.WriteString("|#")
		b.Write(appendInt(nil, trial))
	}
	return b.String()
}
