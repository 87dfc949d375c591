package suite

import (
	"encoding/json"
	"fmt"

	"newel"
)

// stored is a definition as it stands in a run's record.
type stored struct {
	Origin json.RawMessage   `json:"origin,omitempty"` // the caller's: how the run was asked for
	File   string            `json:"file"`
	Suite  newel.Raw         `json:"suite"`
	Files  map[string][]byte `json:"files"`
}

// Marshal returns the definition with the files it names, for Restore, and
// origin, for Origin.
func (s *Suite) Marshal(origin any) ([]byte, error) {
	raw, err := jsonOf(s.root)
	if err != nil {
		return nil, err
	}
	from, err := json.Marshal(origin)
	if err != nil {
		return nil, err
	}
	return json.Marshal(stored{Origin: from, File: s.root.Pos.File, Suite: raw, Files: s.files.read})
}

// Origin reads what Marshal stored of the call.
func Origin(definition []byte, into any) error {
	var st stored
	if err := json.Unmarshal(definition, &st); err != nil {
		return fmt.Errorf("read stored suite: %w", err)
	}
	return json.Unmarshal(st.Origin, into)
}

// Restore reads a stored definition. It opens no file.
func Restore(definition []byte, env Env) (*Suite, error) {
	var st stored
	if err := json.Unmarshal(definition, &st); err != nil {
		return nil, fmt.Errorf("read stored suite: %w", err)
	}
	v, err := newel.ParseJSON(st.Suite)
	if err != nil {
		return nil, fmt.Errorf("read stored suite: %w", err)
	}
	var m newel.Mistakes
	files := StoredFiles(st.Files)
	return build(newel.NodeOf(v, newel.Pos{File: st.File}), env.Dir, files, env, &m)
}

// verdictless lists the keys that change no verdict and stay out of the
// digest, so that a new gate or budget keeps the plan.
var verdictless = []string{"gate", "budget", "cache", "quarantine", "stages", "resources", "slices", "description"}

// verdictlessJudge lists those of a judge, verdictlessTarget of a target.
var (
	verdictlessJudge  = []string{"in_flight", "rate", "timeout", "retries", "gateway"}
	verdictlessTarget = []string{"timeout", "concurrency", "retries", "key_env", "headers"}
)

// digest is the suite's digest: its definition with the files it names,
// without what changes no verdict and without inline cases, which are data.
func (s *Suite) digest() (newel.Hash, error) {
	root, _ := s.root.Any().(map[string]any)
	drop(root, verdictless)
	if judge, ok := root["judge"].(map[string]any); ok {
		dropJudge(judge)
	}
	if rubrics, ok := root["rubrics"].([]any); ok {
		for _, r := range rubrics {
			rubric, _ := r.(map[string]any)
			drop(rubric, []string{"resources", "description"})
			if judge, ok := rubric["judge"].(map[string]any); ok {
				dropJudge(judge)
			}
		}
	}
	dropTargets(root)
	dropCases(root)
	hashes := make(map[string]string, len(s.files.read))
	for name, content := range s.files.read {
		if s.files.apart[name] {
			continue
		}
		hashes[name] = newel.HashOf(content).String()
	}
	raw, err := newel.CanonicalOf(map[string]any{"suite": root, "files": hashes})
	return newel.HashOf(raw), err
}

func drop(m map[string]any, keys []string) {
	for _, k := range keys {
		delete(m, k)
	}
}

// dropJudge keeps of a gateway its name alone, which is part of the call key.
func dropJudge(judge map[string]any) {
	gateway, _ := judge["gateway"].(map[string]any)
	drop(judge, verdictlessJudge)
	if name, ok := gateway["name"]; ok {
		judge["gateway"] = map[string]any{"name": name}
	}
}

func dropTargets(root map[string]any) {
	dropOne := func(v any) {
		t, _ := v.(map[string]any)
		drop(t, verdictlessTarget)
		for _, kind := range t {
			inner, _ := kind.(map[string]any)
			drop(inner, verdictlessTarget)
		}
	}
	dropOne(root["target"])
	many, _ := root["targets"].(map[string]any)
	for _, v := range many {
		dropOne(v)
	}
}

func dropCases(root map[string]any) {
	sources, ok := root["data"].([]any)
	if !ok {
		sources = []any{root["data"]}
	}
	for _, s := range sources {
		source, _ := s.(map[string]any)
		delete(source, "cases")
	}
}
