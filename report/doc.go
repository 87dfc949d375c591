// Package report writes what people and other programs read of a run: the
// terminal report, JSON, JSON lines, CSV, JUnit XML, Markdown, and the tables of
// the commands runs, show, explain, diff and cost.
//
// It computes nothing. Every rendering is a pure function of a newel.Summary or
// of rows: the same value gives the same bytes, whatever the machine, clock,
// locale and terminal. Rates, intervals and verdicts are made by others; where
// rows come from, whether a terminal can show colour and where the text goes are
// for the caller to know.
//
// Text that comes from data never acts on its reader: Visible for terminals,
// and the quoting of each format on top of it.
package report
