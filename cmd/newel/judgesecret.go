package main

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"newel"
	"newel/paid"
	"newel/suite"
)

// secretsOf are the values that judges' gateways are given and that must stand
// in nothing that is kept or told: keys, what headers and configs take from
// variables, and of an address its password and what its query takes.
func secretsOf(s *suite.Suite, only []string, lookup func(string) (string, bool)) *newel.Secrets {
	values := map[string]string{}
	for _, g := range s.Gateways(only) {
		for _, text := range append(headerValues(g.Headers), g.Config, "${"+g.KeyEnv+"}") {
			for _, use := range variableUse.FindAllStringSubmatch(text, -1) {
				values[use[1]], _ = lookup(use[1])
			}
		}
		for _, use := range variableUse.FindAllStringSubmatchIndex(g.URL, -1) {
			name := g.URL[use[2]:use[3]]
			value, _ := lookup(name)
			if !strings.Contains(g.URL[:use[0]], "?") {
				value = passwordOf(value)
			}
			if values[name] == "" {
				values[name] = value
			}
		}
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	return newel.NewSecrets(names, func(name string) (string, bool) {
		v, ok := values[name]
		return v, ok
	})
}

func headerValues(headers map[string]string) []string {
	var all []string
	for _, v := range headers {
		all = append(all, v)
	}
	return all
}

// passwordOf is the password in an address, or the name where that is alone;
// empty: there is neither.
func passwordOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return ""
	}
	if password, ok := u.User.Password(); ok {
		return password
	}
	return u.User.Username()
}

// masked has a question's attempts come back without secrets: a far end may
// repeat what it was sent in any place of its answer.
func (j *judging) masked(q paid.Question) paid.Question {
	if j.secrets == nil {
		return q
	}
	send := q.Send
	q.Send = func(ctx context.Context) paid.Attempt {
		got := send(ctx)
		if clean, ok := j.clean(got.Reply); ok {
			got.Reply = clean
		}
		got.Call = j.cleanCall(got.Call)
		if got.Fault != nil {
			fault := *got.Fault
			fault.Message = j.secrets.Mask(fault.Message)
			got.Fault = &fault
		}
		return got
	}
	return q
}

// clean returns canonical JSON without secrets; false: there is none in it.
func (j *judging) clean(raw []byte) ([]byte, bool) {
	if len(raw) == 0 || j.secrets.Mask(string(raw)) == string(raw) { // which also finds what JSON escapes
		return nil, false
	}
	v, err := newel.ParseJSON(raw)
	if err != nil {
		return nil, false
	}
	v, found := j.secrets.MaskReply(v)
	if !found {
		return nil, false
	}
	clean, err := newel.CanonicalOf(v)
	return clean, err == nil
}

// cleanCall returns a call without secrets.
func (j *judging) cleanCall(c newel.Call) newel.Call {
	raw, err := json.Marshal(c)
	if err != nil {
		return c
	}
	clean, found := j.clean(raw)
	var out newel.Call
	if !found || json.Unmarshal(clean, &out) != nil {
		return c
	}
	return out
}
