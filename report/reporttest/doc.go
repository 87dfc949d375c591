// Package reporttest makes summaries and rows for the tests of renderings: whole
// and broken runs, failing gates, unknown costs, hostile text. Everything in it
// is fixed; nothing depends on clock or chance.
package reporttest
