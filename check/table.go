package check

// Table lists every check, family by family, in the order of the reference
// page. A new check is one file, its test and one line here.
func Table() []*Spec {
	table := []*Spec{
		caseChecksSpec(),
	}
	table = append(table, containsSpecs()...)
	return append(table, notSpec(), anySpec(), allSpec())
}
