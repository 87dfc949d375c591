package check

// Table lists every check, family by family, in the order of the reference
// page. A new check is one file, its test and one line here.
func Table() []*Spec {
	table := []*Spec{
		jsonSpec(),
		jsonSchemaSpec(),
		toolCallsSpec(),
		xmlSpec(),
		sqlSpec(),
		csvColumnsSpec(),
		regexSpec(), secretsSpec(), piiSpec(), bannedSpec(), languageSpec(),
		lengthSpec(), countSpec(), oneOfSpec(), rangeSpec(), fieldsSpec(), stepsSpec(), exprSpec(), ifevalSpec(),
		caseChecksSpec(),
		citationsSpec(),
	}
	table = append(table, equalsSpec())
	table = append(table, containsSpecs()...)
	table = append(table, exactMatchSpec(), numberSpec(), tokenF1Spec(), rougeSpec(), bleuSpec(), chrfSpec(), levenshteinSpec(), similaritySetSpec(), retrievalSpec())
	table = append(table, latencySpec(), costSpec(), usageSpec())
	return append(table, notSpec(), anySpec(), allSpec())
}
