package suite

import (
	"fmt"

	"newel"
)

// ruler is a rubric's digest: its definition over the suite's judge, with the
// files that were read for it. What changes no verdict stays out. Two runs
// measured a rubric alike where it is equal, whatever else their suites hold.
func (s *Suite) ruler(n *newel.Node, used map[string]bool) (newel.Hash, error) {
	rubric, _ := n.Any().(map[string]any)
	drop(rubric, []string{"resources", "description"})
	whole := map[string]any{"rubric": rubric}
	if own, ok := rubric["judge"].(map[string]any); ok {
		dropJudge(own)
		if defaults := s.root.Field("judge"); defaults != nil {
			judge, _ := defaults.Any().(map[string]any)
			dropJudge(judge)
			whole["judge"] = judge
		}
	}
	files := map[string]string{}
	for name := range used {
		if content, ok := s.files.read[name]; ok {
			files[name] = newel.HashOf(content).String()
		}
	}
	whole["files"] = files
	raw, err := newel.CanonicalOf(whole)
	return newel.HashOf(raw), err
}

// Stamp is the state of the data's files, to tell later whether they are the
// same. Inline cases stand in the suite's own digest's place: they are hashed.
func (s *Suite) Stamp() (string, error) {
	files, err := s.Sources.Stamp()
	if err != nil {
		return "", fmt.Errorf("data: %w", err)
	}
	inline, err := jsonOf(s.root.Field("data"))
	return newel.HashOf(append(inline, files...)).String(), err
}
