package newel

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"names are sorted by UTF-16 units":          {"{\"\U0001F600\":1,\"ﬀ\":2,\"a\":3}", "{\"a\":3,\"\U0001F600\":1,\"ﬀ\":2}"},
		"numbers take the shortest form":            {`[1.0, 1e21, 0.000001, 1E-7, -0]`, `[1,1e+21,0.000001,1e-7,0]`},
		"an integer beyond 2^53 keeps its digits":   {`[12345678901234567890]`, `[12345678901234567890]`},
		"escapes are undone where they need not be": {`"\u0041\/\u00e9\n\u001F"`, `"A/é\n\u001f"`},
		"a text that is canonical stays as it is":   {`"a \"b\" \\ é"`, `"a \"b\" \\ é"`},
		"white space between values goes":           {"{ \"b\" : [ 1 , 2 ] }", `{"b":[1,2]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := AppendCanonical(nil, Raw(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"a name used twice": `{"a":1,"a":2}`,
		"broken UTF-8":      "[\"\xff\"]",
		"nothing":           ``,
		"NaN":               `NaN`,
	} {
		if got, err := Canonical(Raw(in)); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
}

func TestParseJSON(t *testing.T) {
	t.Parallel()
	got, err := ParseJSON([]byte(` {"a":[1,2.5,"x",null,true],"id":12345678901234567890,"big":1e300} `))
	want := map[string]any{"a": []any{1.0, 2.5, "x", nil, true}, "id": json.Number("12345678901234567890"), "big": 1e300}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for _, broken := range []string{``, `{`, `[1,]`, `{"a":1} x`, `{"a":1,"a":2}`, `NaN`, "\"\xff\"", `01`} {
		if v, err := ParseJSON([]byte(broken)); err == nil {
			t.Errorf("%q gave %v, want an error", broken, v)
		}
	}
}
