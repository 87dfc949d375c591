package gateway

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"newel"
)

var update = flag.Bool("update", false, "write the want of the fixtures anew")

// fixture is one recorded answer of a gateway and what must be made of it, a file
// testdata/DIALECT/NAME.json. Want is golden: -update writes it. Must is written by
// hand, in dotted names of the record (such as cost.status), null where a name
// must be absent; -update leaves it alone.
type fixture struct {
	About    string         `json:"about"`
	Source   string         `json:"source"` // recorded from what, or where the form is documented
	Auto     string         `json:"auto,omitempty"`
	Request  fixtureRequest `json:"request"`
	Response fixtureAnswer  `json:"response"`
	// Lookup is what a later look-up of the cost brought.
	Lookup *fixtureAnswer  `json:"lookup,omitempty"`
	Must   map[string]any  `json:"must"`
	Want   json.RawMessage `json:"want,omitempty"`
}

// fixtureRequest is what was asked. Auto tells apart what is sent to an Anthropic
// route.
type fixtureRequest struct {
	Model    string `json:"model"`
	Config   string `json:"config,omitempty"`
	Messages bool   `json:"messages,omitempty"`
	// Headers are those of the request that matter to the answer.
	Headers map[string]string `json:"headers,omitempty"`
}

func (q *fixtureRequest) request(t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "https://gateway.example/v1/chat/completions", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range q.Headers {
		req.Header.Set(name, v)
	}
	return req
}

// fixtureAnswer is an answer: a body that is a text is sent as it is, such as a
// stream or a page, anything else as JSON.
type fixtureAnswer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

func (a *fixtureAnswer) response(t *testing.T, config string) *response {
	t.Helper()
	r := &response{status: a.Status, header: http.Header{}, body: a.Body, config: config}
	for name, v := range a.Headers {
		r.header.Set(name, v)
	}
	var text string
	if json.Unmarshal(a.Body, &text) == nil {
		r.body = []byte(text)
	}
	r.now = clockOf(r.header, time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC))
	r.decode()
	return r
}

// outcome is what is compared.
type outcome struct {
	Text    string        `json:"text"`
	Refused bool          `json:"refused,omitempty"`
	Finish  string        `json:"finish,omitempty"`
	Tokens  []Token       `json:"tokens,omitempty"`
	Fault   *Fault        `json:"fault,omitempty"`
	Call    newel.Call    `json:"call"`
	Later   *newel.Charge `json:"cost_after_lookup,omitempty"`
}

// testPrices is the table of all fixtures, so that a new built-in one changes no
// golden file.
func testPrices(t testing.TB) *Prices {
	t.Helper()
	data, err := os.ReadFile("testdata/prices.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ReadPrices(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	prices := testPrices(t)
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if name == "fuzz" {
			continue
		}
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".json"), func(t *testing.T) {
			t.Parallel()
			d, ok := dialectNamed(name)
			if !ok {
				t.Fatalf("the folder is named for no dialect: %s", name)
			}
			runFixture(t, file, d, prices)
		})
	}
}

func runFixture(t *testing.T, file string, d *dialect, prices *Prices) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(&f); err != nil {
		t.Fatal(err)
	}
	r := f.Response.response(t, f.Request.Config)
	r.sent = f.Request.request(t)
	checkRecognised(t, &f, d, r)
	g := &reading{name: "main", model: f.Request.Model, prices: prices, mask: newel.NewSecrets(nil, nil)}
	reply := g.read(d, r)
	got := outcome{reply.Text, reply.Refused, reply.Finish, reply.Tokens, reply.Fault, reply.Call, nil}
	if f.Lookup != nil {
		call := reply.Call
		if !found(d, f.Lookup.response(t, ""), &call, prices) {
			t.Error("the look-up found nothing")
		}
		got.Later = &call.Cost
	}
	checkMust(t, f.Must, got)
	checkWant(t, file, &f, got)
}

// checkRecognised holds that auto finds the dialect, or the one that Auto names
// where an answer says too little.
func checkRecognised(t *testing.T, f *fixture, d *dialect, r *response) {
	t.Helper()
	want := d.name
	if f.Auto != "" {
		want = f.Auto
	}
	got := "openai"
	if f.Request.Messages {
		got = "anthropic"
	}
	if by := recognise(dialects(), r); by != nil {
		got = by.name
	}
	if got != want {
		t.Errorf("auto takes it for %s, want %s", got, want)
	}
}

// checkMust compares what was written by hand.
func checkMust(t *testing.T, must map[string]any, got outcome) {
	t.Helper()
	if len(must) == 0 {
		t.Error("a fixture says by hand what it is there for: must is empty")
	}
	record := plainJSON(t, got)
	for path, want := range must {
		var v any = record
		for _, name := range strings.Split(path, ".") {
			object, _ := v.(map[string]any)
			v = object[name]
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// plainJSON flattens the call into the record, so that must says cost.status.
func plainJSON(t *testing.T, got outcome) map[string]any {
	t.Helper()
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var record map[string]any
	if err := dec.Decode(&record); err != nil {
		t.Fatal(err)
	}
	for name, v := range record["call"].(map[string]any) {
		record[name] = v
	}
	return record
}

func checkWant(t *testing.T, file string, f *fixture, got outcome) {
	t.Helper()
	data, err := json.MarshalIndent(got, "  ", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		writeWant(t, file, data)
		return
	}
	var wanted, gotten any
	if err := json.Unmarshal(f.Want, &wanted); err != nil {
		t.Fatalf("want: %v (write it with -update)", err)
	}
	if err := json.Unmarshal(data, &gotten); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, gotten); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// writeWant replaces the last member of the file, which want is.
func writeWant(t *testing.T, file string, want []byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := data
	if i := bytes.LastIndex(data, []byte("\n  \"want\":")); i >= 0 {
		head = data[:i]
	} else {
		head = bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSpace(head), []byte("}")), " \n\t")
		head = append(bytes.TrimRight(head, ","), ',')
	}
	out := append(append(bytes.Clone(head), "\n  \"want\": "...), want...)
	if err := os.WriteFile(file, append(out, "\n}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
}
