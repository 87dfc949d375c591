package eval

import (
	"fmt"
	"sort"
	"strings"

	"newel"
)

// slicesOf returns the slices that an item belongs to.
func (f *Fold) slicesOf(it *newel.ItemRows) []*sliceFold {
	var out []*sliceFold
	if f.opt.Slices == nil {
		for i := range it.Dims {
			out = f.slice(out, it.Dims[i:i+1])
		}
		return out
	}
	for _, names := range f.opt.Slices {
		dims := make([]newel.Dim, 0, len(names))
		for _, name := range names {
			if v, ok := newel.FindDim(it.Dims, name); ok {
				dims = append(dims, newel.Dim{Name: name, Value: v})
			}
		}
		if len(dims) == len(names) {
			out = f.slice(out, dims)
		}
	}
	return out
}

func (f *Fold) slice(out []*sliceFold, dims []newel.Dim) []*sliceFold {
	var key, name strings.Builder
	for _, d := range dims {
		fmt.Fprintf(&key, "%d:%s%d:%s", len(d.Name), d.Name, len(d.Value), d.Value)
		name.WriteString(d.Name + " ")
	}
	if s, ok := f.slices[key.String()]; ok {
		return append(out, s)
	}
	combination := strings.TrimSpace(name.String())
	if f.crowded[combination] {
		return out
	}
	if f.values(combination) >= maxSlices {
		f.crowded[combination] = true
		return out
	}
	s := &sliceFold{dims: append([]newel.Dim(nil), dims...), cells: make([]*cell, len(f.rubrics))}
	for i := range s.cells {
		s.cells[i] = &cell{}
	}
	f.slices[key.String()] = s
	return append(out, s)
}

// values counts the slices of one combination of dimensions.
func (f *Fold) values(combination string) int {
	n := 0
	for _, s := range f.slices {
		names := make([]string, len(s.dims))
		for i, d := range s.dims {
			names[i] = d.Name
		}
		if strings.Join(names, " ") == combination {
			n++
		}
	}
	return n
}

// sortedSlices lists the slices by their dimensions.
func (f *Fold) sortedSlices() []*sliceFold {
	keys := make([]string, 0, len(f.slices))
	for k := range f.slices {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return lessDims(f.slices[keys[i]].dims, f.slices[keys[j]].dims) })
	out := make([]*sliceFold, 0, len(keys))
	for _, k := range keys {
		s := f.slices[k]
		names := make([]string, len(s.dims))
		for i, d := range s.dims {
			names[i] = d.Name
		}
		if !f.crowded[strings.Join(names, " ")] {
			out = append(out, s)
		}
	}
	return out
}

func lessDims(a, b []newel.Dim) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range a {
		if a[i].Name != b[i].Name {
			return a[i].Name < b[i].Name
		}
	}
	for i := range a {
		if a[i].Value != b[i].Value {
			return a[i].Value < b[i].Value
		}
	}
	return false
}
