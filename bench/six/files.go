package six

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// Names of the files in a folder that Write fills.
const (
	CasesFile = "cases.jsonl"
	SuiteFile = "suite.yaml"
	PeerFile  = "peer.yaml"
	peerCases = "peer.jsonl"
)

// Schema is what the JSON of an output must fit.
const Schema = `{"type": "object", "required": ["id", "label", "confidence", "summary"], "properties": {"id": {"type": "string"}, ` +
	`"label": {"type": "string", "enum": ["account", "billing", "delivery", "returns"]}, ` +
	`"confidence": {"type": "number", "minimum": 0, "maximum": 1}, "summary": {"type": "string", "minLength": 10}}}`

// Checks are the six, as a suite's floor has them; JSON is YAML too.
const Checks = `[
  "equals",
  {"contains": {"from": "vars.must"}},
  {"regex": {"from": "vars.pattern"}},
  {"json-schema": {"schema": ` + Schema + `}},
  {"expr": "size(output_text) > 100 && size(output_text) < 2000"},
  {"levenshtein": {"max": 10}}
]`

// peer is the same suite for promptfoo, which sees the recorded output as an
// answer of its echo provider.
const peer = `description: six
prompts: ['{{out}}']
providers: [echo]
defaultTest:
  assert:
    - {type: equals, value: '{{expected}}'}
    - {type: contains, value: '{{must}}'}
    - {type: regex, value: '{{pattern}}'}
    - {type: is-json, value: ` + Schema + `}
    - {type: javascript, value: 'output.length > 100 && output.length < 2000'}
    - {type: levenshtein, value: '{{expected}}', threshold: 10}
tests: file://` + peerCases + `
`

// Write fills a folder with the first n cases and the suite.
func Write(dir string, seed uint64, n int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, SuiteFile), []byte(suiteText()), 0o644); err != nil {
		return err
	}
	return lines(filepath.Join(dir, CasesFile), n, func(i int) any { return At(seed, i) })
}

// suiteText indents the checks under their rubric.
func suiteText() string {
	return `newel: v1
name: six
data: {file: ` + CasesFile + `, map: {reference: expected}}
rubrics:
  - name: six
    floor: ` + strings.ReplaceAll(Checks, "\n", "\n      ") + "\n"
}

// WritePeer adds the same cases and suite in promptfoo's format.
func WritePeer(dir string, seed uint64, n int) error {
	if err := os.WriteFile(filepath.Join(dir, PeerFile), []byte(peer), 0o644); err != nil {
		return err
	}
	return lines(filepath.Join(dir, peerCases), n, func(i int) any {
		c := At(seed, i)
		vars := map[string]string{"id": c.ID, "out": c.Output, "expected": c.Expected, "must": c.Must, "pattern": c.Pattern}
		return map[string]any{"description": c.ID, "vars": vars}
	})
}

// lines writes n values as JSON, one a line.
func lines(path string, n int, value func(i int) any) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range n {
		if err := enc.Encode(value(i)); err != nil {
			return err
		}
	}
	return w.Flush()
}
