package target

import (
	"os"
	"regexp"
	"testing"

	"newel"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

func TestTheGuidesExamplesAreTargets(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/targets.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatch(string(guide), -1)
	if len(blocks) < 6 {
		t.Fatalf("only %d examples found", len(blocks))
	}
	for _, b := range blocks {
		var m newel.Mistakes
		suite, env := node(t, b[1]), Env{Dir: ".", AllowCommands: []string{"."}}
		switch f := suite.Fields[0]; f.Name {
		case "target":
			Parse(f.Node, env, &m)
		case "targets":
			ParseMany(f.Node, env, &m)
		default:
			t.Errorf("an example starts with %s", f.Name)
		}
		if err := m.Err(); err != nil {
			t.Errorf("%s\n%v", b[1], err)
		}
	}
}
