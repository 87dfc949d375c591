package target

import (
	"regexp"
	"slices"
	"strings"

	"newel"
)

// kindKeys are the ways to ask, commonKeys what stands beside them.
var (
	kindKeys   = []string{"openai", "http", "command"}
	commonKeys = []string{"timeout", "concurrency", "retries"}
)

const (
	maxConcurrency = 10_000
	maxRetries     = 20
)

// Parse reads the value of a suite's target. It notes all that is wrong in m
// and then returns nil.
func Parse(n *newel.Node, env Env, m *newel.Mistakes) *Target {
	before := m.Len()
	env = env.withDefaults()
	f := fieldsOf(n, "target", append(kindKeys[:len(kindKeys):len(kindKeys)], commonKeys...), m)
	t := &Target{
		env:     env,
		timeout: f.duration("timeout", DefaultTimeout),
		retries: f.whole("retries", DefaultRetries, 0, maxRetries),
	}
	concurrency := f.whole("concurrency", DefaultConcurrency, 1, maxConcurrency)
	t.slots = make(chan struct{}, concurrency)
	name, body := f.oneOf(kindKeys)
	switch name {
	case "openai":
		t.kind, t.secrets = parseOpenAI(body, env, concurrency, m)
	case "http":
		t.kind, t.secrets = parseHTTP(body, env, concurrency, m)
	case "command":
		t.kind, t.secrets = parseCommand(body, env, m)
	}
	if m.Len() > before {
		return nil
	}
	return t
}

// oneOf returns the only key of words that is written.
func (f fields) oneOf(words []string) (string, *newel.Node) {
	var found []string
	for _, w := range words {
		if f.at(w) != nil {
			found = append(found, w)
		}
	}
	if len(found) == 1 {
		return found[0], f.at(found[0])
	}
	switch {
	case len(found) > 1:
		f.m.Add(f.node.Pos, "%s takes one of %s, not %s together", f.what, strings.Join(words, ", "), strings.Join(found, " and "))
	case f.node.IsMap() && !slices.ContainsFunc(words, func(w string) bool { return !f.node.Lacks(w, f.known) }):
		f.m.Add(f.node.Pos, "%s needs one of %s", f.what, strings.Join(words, ", "))
	}
	return "", nil
}

// targetName is what may stand in the matrix and in ids.
var targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ParseMany reads the value of a suite's targets, a map of name to target, in
// the order written. It notes all that is wrong in m and then returns nil.
func ParseMany(n *newel.Node, env Env, m *newel.Mistakes) []*Target {
	if !n.IsMap() || len(n.Fields) == 0 {
		m.Add(n.Pos, "targets is a map of names to targets, such as small: {openai: {…}}; this is %s", n.Kind())
		return nil
	}
	before := m.Len()
	var all []*Target
	for _, f := range n.Fields {
		if !targetName.MatchString(f.Name) {
			m.Add(f.Pos, "a target's name is made of letters, digits, dots, dashes and underscores; this is %q", f.Name)
		}
		if t := Parse(f.Node, env, m); t != nil {
			t.name = f.Name
			all = append(all, t)
		}
	}
	if m.Len() > before {
		return nil
	}
	return all
}
