package gateway

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"newel"
)

// TestDocs holds that the page names every dialect and every field of the record.
func TestDocs(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../docs/gateways.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, name := range Dialects() {
		if !strings.Contains(page, "\n| `"+name+"` |") {
			t.Errorf("the page has no row for the dialect %s", name)
		}
	}
	for _, of := range []any{newel.Call{}, newel.Usage{}, newel.Charge{}, newel.Attempt{}, newel.Limits{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(of)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, "."+name+"`") && !strings.Contains(page, "`"+name+".") {
				t.Errorf("the page does not say what %s of %T is", name, of)
			}
		}
	}
}
