// Package data reads the cases of a suite: its data key, the files that it
// names, and what map, where, limit and join make of their records.
//
// Every format ends in the same place: a reader cuts a file into records of
// JSON text, workers turn records into cases, and the cases come out in the
// order in which they were written, whatever the number of workers. Nothing
// grows with the number of cases. What is wrong is collected with its file and
// line, and reading goes on, so that all of it is reported at once.
//
// Ids used twice, the matrix and trials are left to the plan; what a check of
// a case means is left to the checks.
package data
