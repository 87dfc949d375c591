package data

import "slices"

// field is a field of a case.
type field uint8

const (
	noField field = iota
	fieldID
	fieldInput
	fieldOutput
	fieldOutputs
	fieldReference
	fieldContext
	fieldMedia
	fieldTurns
	fieldDims
	fieldTags
	fieldVars
	fieldLabels
	fieldRaters
	fieldCluster
	fieldChecks
	fieldCriteria
	fieldRun
	fieldCount
)

// fieldNames are the names that columns of a data file may have to come over
// unmapped.
var fieldNames = [fieldCount]string{
	"", "id", "input", "output", "outputs", "reference", "context", "media", "turns", "dims",
	"tags", "vars", "labels", "raters", "cluster", "checks", "criteria", "run",
}

func (f field) String() string { return fieldNames[f] }

// fieldOf returns the field of that name, or noField.
func fieldOf(name string) field {
	if i := slices.Index(fieldNames[1:], name); i >= 0 {
		return field(i + 1)
	}
	return noField
}

// hasParts reports whether a map may name a part of the field: dims.language.
func (f field) hasParts() bool {
	switch f {
	case fieldDims, fieldLabels, fieldVars, fieldRaters, fieldOutputs:
		return true
	}
	return false
}
