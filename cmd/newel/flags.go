package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// maxWorkers bounds --workers.
const maxWorkers = 10_000

// wholeFlag is a flag that takes a whole number within bounds. Where it is not
// given, *to stays as it is.
type wholeFlag struct {
	to          *int
	least, most int    // most 0: no upper bound
	unset       string // what leaving it out means
}

func (w *wholeFlag) String() string {
	if w.to == nil {
		return "0"
	}
	return strconv.Itoa(*w.to)
}

// Type is what help shows.
func (w *wholeFlag) Type() string { return "int" }

// Set takes a number, or a boundsError.
func (w *wholeFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return err
	case n < w.least || w.most > 0 && n > w.most:
		return &boundsError{n, w}
	}
	*w.to = n
	return nil
}

// boundsError says what a number may be.
type boundsError struct {
	n    int
	flag *wholeFlag
}

func (e *boundsError) Error() string {
	bound := fmt.Sprintf("at least %d", e.flag.least)
	if e.flag.most > 0 {
		bound = fmt.Sprintf("from %d to %d", e.flag.least, e.flag.most)
	}
	return fmt.Sprintf("%d: it is %s; %s", e.n, bound, e.flag.unset)
}

// noEmptyFlags refuses a flag that was given nothing, as a variable of a script
// that is not set leaves it: it would do as if it were not there.
func noEmptyFlags(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.Type() == "string" && f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, value := range list.GetSlice() {
				empty = empty || value == ""
			}
		}
		if empty && err == nil {
			err = usage("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// Bounds of a label, in characters, and of how many there are.
const (
	maxLabelKey   = 64
	maxLabelValue = 256
	maxLabels     = 64
)

func parseLabels(list []string) (map[string]string, error) {
	if len(list) > maxLabels {
		return nil, usage("--label: at most %d; these are %d", maxLabels, len(list))
	}
	labels := map[string]string{}
	for _, l := range list {
		key, value, ok := strings.Cut(l, "=")
		if !ok || key == "" {
			return nil, usage("--label %q: write key=value", cut(l))
		}
		if err := labelText(l, "key", key, maxLabelKey); err != nil {
			return nil, err
		}
		if err := labelText(l, "value", value, maxLabelValue); err != nil {
			return nil, err
		}
		if _, twice := labels[key]; twice {
			return nil, usage("--label: %q is given twice", key)
		}
		labels[key] = value
	}
	return labels, nil
}

// labelText checks a part of a label: it stands in tables and reports.
func labelText(label, part, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return usage("--label %q: its %s has %s characters, at most %d are allowed", cut(label), part, thousands(n), most)
	}
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return usage("--label %q: its %s may hold printable characters only", cut(label), part)
		}
	}
	return nil
}

// cut shortens what a message repeats.
func cut(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// reservedID says why an id that is made of the right characters is none.
func reservedID(id string) error {
	switch {
	case id == "last":
		return usage("--id last: the word means the newest run wherever a run is named; choose another id")
	case looksLikeFile(id):
		return usage("--id %q: an id does not end in %s, which exported files and stores do; choose another id", id, strings.Join(fileEndings, " or "))
	}
	return nil
}
