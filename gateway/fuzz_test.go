package gateway

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"newel"
)

// FuzzRead reads any answer in every dialect: it neither panics nor makes a cost
// of nothing out of what is not known.
func FuzzRead(f *testing.F) {
	prices := testPrices(f)
	known := dialects()
	files, _ := filepath.Glob("testdata/*/*.json")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var x fixture
		if json.Unmarshal(data, &x) != nil || x.Response.Status == 0 {
			continue
		}
		var head strings.Builder
		for name, v := range x.Response.Headers {
			head.WriteString(name + ": " + v + "\n")
		}
		body := string(x.Response.Body)
		var text string
		if json.Unmarshal(x.Response.Body, &text) == nil {
			body = text
		}
		f.Add(uint16(x.Response.Status), head.String(), body, x.Request.Config)
	}
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, status uint16, head, body, config string) {
		header := http.Header{}
		for line := range strings.Lines(head) {
			if name, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
				header.Set(name, strings.TrimSpace(v))
			}
		}
		for _, d := range known {
			r := &response{status: int(status), header: header, body: []byte(body), config: config, now: now}
			r.decode()
			if d.knows != nil {
				d.knows(r)
			}
			g := &reading{name: "main", model: "gpt-4o-mini", prices: prices, mask: newel.NewSecrets(nil, nil)}
			reply := g.read(d, r)
			checkReply(t, d, r, &reply)
			if d.lookup != nil {
				call := reply.Call
				found(d, r, &call, prices)
				checkCost(t, d, &call)
			}
		}
	})
}

func checkReply(t *testing.T, d *dialect, r *response, reply *Reply) {
	t.Helper()
	c := &reply.Call
	if _, err := json.Marshal(reply); err != nil {
		t.Errorf("%s: the record has no JSON: %v", d.name, err)
	}
	if c.Outcome == "" || c.Dialect != d.name {
		t.Errorf("%s: outcome %q, dialect %q", d.name, c.Outcome, c.Dialect)
	}
	if reply.Fault != nil && (reply.Fault.Kind == "" || reply.Fault.Message == "" || len(reply.Fault.Message) > maxShown+8) {
		t.Errorf("%s: fault %+v", d.name, reply.Fault)
	}
	if reply.Fault == nil && !r.ok() {
		t.Errorf("%s: status %d is no fault", d.name, r.status)
	}
	if reply.Fault != nil && reply.Fault.MayCost && c.Cost.Status == newel.CostZero && !strings.HasPrefix(c.Cache, "hit") && c.Cost.Source == "" {
		t.Errorf("%s: what may have been billed is said to be free: %+v", d.name, c.Cost)
	}
	checkCost(t, d, c)
}

func checkCost(t *testing.T, d *dialect, c *newel.Call) {
	t.Helper()
	cost := c.Cost
	switch {
	case (cost.USD == nil) != (cost.Status == newel.CostUnknown):
		t.Errorf("%s: usd %v with status %q", d.name, cost.USD, cost.Status)
	case cost.USD != nil && *cost.USD < 0:
		t.Errorf("%s: below zero: %v", d.name, *cost.USD)
	case cost.USD != nil && *cost.USD == 0 && cost.Status != newel.CostZero:
		t.Errorf("%s: nothing, with status %q", d.name, cost.Status)
	}
}
