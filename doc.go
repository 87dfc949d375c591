// Package newel holds the words that every part of newel shares: cases and
// items, scores and results, runs and their ledger, ids, canonical JSON and
// money, and the three interfaces that belong to everyone, Scorer, Runner and
// Store.
//
// It does nothing by itself. Checks live in check, the ladder in ladder, the
// one way to a row in work, runs in eval, numbers in stat.
package newel
