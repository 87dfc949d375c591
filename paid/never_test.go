package paid

import (
	"testing"

	"newel"
)

// A model that nobody has is a bad request like any other, by its status.
func TestAFaultThatNoCallCanGetPastClosesTheLane(t *testing.T) {
	t.Parallel()
	for _, never := range []bool{true, false} {
		got := Attempt{Call: newel.Call{Status: 400, Outcome: "client_error"}, Fault: &Fault{Kind: newel.KindGateway, Never: never}}
		if closes(got) != never || turns(got) {
			t.Errorf("never %v: closes %v, turns %v", never, closes(got), turns(got))
		}
	}
}
