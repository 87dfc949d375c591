package newel

// Row is one result as it is shown: (run, item, rubric).
type Row struct {
	Item        string            `json:"item"` // 32 hexadecimal digits
	Case        string            `json:"case"`
	Shown       string            `json:"shown"` // the item as people read it: case|lang=de|#2
	Quarantined bool              `json:"quarantined,omitempty"`
	Trial       int               `json:"trial"`
	Dims        map[string]string `json:"dims"`
	Rubric      string            `json:"rubric"`
	Verdict     string            `json:"verdict"`
	Reason      string            `json:"reason,omitempty"`
	Layer       string            `json:"layer,omitempty"`
	Value       *Value            `json:"value,omitempty"`
	Choice      string            `json:"choice,omitempty"`
	Explanation string            `json:"explanation,omitempty"`
	Evidence    []Evidence        `json:"evidence,omitempty"`
	Scores      []RowScore        `json:"scores"`
	Inclusion   *float64          `json:"inclusion,omitempty"`
	Audit       *RowAudit         `json:"audit,omitempty"`
	Error       *ScoreError       `json:"error,omitempty"`
	Calls       []Raw             `json:"calls"` // each a Call
}

// RowScore is one scorer's answer in a Row.
type RowScore struct {
	Scorer      string      `json:"scorer"`
	Layer       string      `json:"layer"`
	Verdict     string      `json:"verdict"`
	Value       *Value      `json:"value,omitempty"`
	Choice      string      `json:"choice,omitempty"`
	Explanation string      `json:"explanation,omitempty"`
	Error       *ScoreError `json:"error,omitempty"`
}

// RowAudit is the verdict that did not decide a Row.
type RowAudit struct {
	Layer   string `json:"layer"`
	Verdict string `json:"verdict"`
	Value   *Value `json:"value,omitempty"`
}
