package main

import (
	"newel"
	"newel/check"
)

// mistakesJSON is how --json tells mistakes, on standard error.
type mistakesJSON struct {
	Mistakes []mistakeJSON `json:"mistakes"`
	More     int           `json:"more,omitempty"` // that are not listed
}

type mistakeJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // 0 and left out: the file as a whole
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

func mistakesView(m *newel.Mistakes) mistakesJSON {
	list := m.List()
	v := mistakesJSON{Mistakes: make([]mistakeJSON, len(list)), More: m.Len() - len(list)}
	for i, one := range list {
		v.Mistakes[i] = mistakeJSON{one.Pos.File, one.Pos.Line, one.Pos.Column, one.Msg}
	}
	return v
}

// checkJSON is a check as --json tells it.
type checkJSON struct {
	Name        string          `json:"name"`
	Family      string          `json:"family"`
	About       string          `json:"about"`
	Main        string          `json:"main,omitempty"` // the parameter that a bare value stands for
	Parameters  []parameterJSON `json:"parameters"`
	Example     string          `json:"example"`
	Source      string          `json:"source,omitempty"`
	Approximate string          `json:"approximate,omitempty"`
}

type parameterJSON struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	About    string `json:"about"`
	Default  string `json:"default,omitempty"`
	Required bool   `json:"required"`
}

func checkView(s *check.Spec) checkJSON {
	v := checkJSON{Name: s.Name, Family: s.Family, About: s.About, Main: s.Main, Example: s.Example, Source: s.Source, Approximate: s.Approximate}
	for _, p := range s.All() {
		v.Parameters = append(v.Parameters, parameterJSON(p))
	}
	return v
}

func checkViews() []checkJSON {
	var out []checkJSON
	for _, s := range check.Table() {
		out = append(out, checkView(s))
	}
	return out
}
