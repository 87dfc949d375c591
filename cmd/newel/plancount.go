package main

import (
	"github.com/cespare/xxhash/v2"

	"newel"
	"newel/gate"
	"newel/suite"
)

// planCount counts the rows that gate rules will read, and their clusters: by
// rubric, and by the values of each dimension that a rule slices by.
type planCount struct {
	rubrics []string
	by      []string // the dimensions of rules; the first, "", is all rows
	cells   map[countKey]*countCell
}

type countKey struct {
	rubric    int
	by, value string
}

type countCell struct {
	rows, alone int
	clusters    map[uint64]bool // of named clusters and of cases with several items
}

func newPlanCount(s *suite.Suite) *planCount {
	c := &planCount{by: []string{""}, cells: map[countKey]*countCell{}}
	for _, r := range s.Rubrics {
		c.rubrics = append(c.rubrics, r.Name)
	}
	seen := map[string]bool{"": true}
	for _, rule := range s.Gate {
		if !seen[rule.By] {
			seen[rule.By] = true
			c.by = append(c.by, rule.By)
		}
	}
	return c
}

// add counts one row. Single says that its case has no other item.
func (c *planCount) add(rubric int, it *newel.Item, single bool) {
	for _, by := range c.by {
		value := ""
		if by != "" {
			v, ok := newel.FindDim(newel.MergeDims(it.Case.Dims, it.Matrix), by)
			if !ok {
				continue
			}
			value = v
		}
		key := countKey{rubric, by, value}
		cell := c.cells[key]
		if cell == nil {
			cell = &countCell{clusters: map[uint64]bool{}}
			c.cells[key] = cell
		}
		cell.rows++
		switch {
		case it.Case.Cluster != "":
			cell.clusters[xxhash.Sum64String("cluster "+it.Case.Cluster)] = true
		case single:
			cell.alone++
		default:
			cell.clusters[xxhash.Sum64String("case "+it.Case.ID)] = true
		}
	}
}

// rows is how many rows a rubric has.
func (c *planCount) rows(rubric int) int {
	if cell := c.cells[countKey{rubric: rubric}]; cell != nil {
		return cell.rows
	}
	return 0
}

// can says what a rule can show, of the slice with the fewest clusters where
// it has slices.
func (c *planCount) can(rule gate.Rule) string {
	least, which := (*countCell)(nil), ""
	for key, cell := range c.cells {
		if key.by != rule.By || (rule.Rubric != "" && c.rubrics[key.rubric] != rule.Rubric) {
			continue
		}
		if least == nil || cell.size() < least.size() || (cell.size() == least.size() && key.value < which) {
			least, which = cell, key.value
		}
	}
	if least == nil {
		return "has no row to read: invalid"
	}
	text := rule.Explain(least.rows, least.size())
	if rule.By != "" {
		text = "for " + rule.By + "=" + which + ", the smallest: " + text
	}
	return text
}

func (c *countCell) size() int { return c.alone + len(c.clusters) }
