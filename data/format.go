package data

import (
	"io"
	"strings"
)

// fileFormat is how a file holds records: the ending of its name, and how to read
// it.
type fileFormat struct {
	ending string
	// read cuts text into records. What is wrong with the text goes to the
	// sink; an error is one of the machine, or the sink's own.
	read func(r io.Reader, s *sink) error
	// flat formats have columns of texts and no nesting.
	flat bool
	// random formats are read from a file, not from a stream.
	random bool
}

// formats lists all that there are.
func formats() []fileFormat {
	return []fileFormat{
		{ending: ".jsonl", read: readJSONL},
		{ending: ".json", read: readJSONArray},
		{ending: ".csv", read: readCSV, flat: true},
		{ending: ".tsv", read: readTSV, flat: true},
		{ending: ".parquet", read: readParquet, random: true},
	}
}

// packing is how a file is compressed.
type packing uint8

const (
	plain packing = iota
	gzipped
	zstandard
)

// formatOf tells format and packing from a file's name.
func formatOf(name string) (fileFormat, packing, bool) {
	name = strings.ToLower(name)
	pack := plain
	if cut, ok := strings.CutSuffix(name, ".gz"); ok {
		name, pack = cut, gzipped
	} else if cut, ok := strings.CutSuffix(name, ".zst"); ok {
		name, pack = cut, zstandard
	}
	for _, f := range formats() {
		if strings.HasSuffix(name, f.ending) {
			return f, pack, true
		}
	}
	return fileFormat{}, pack, false
}

func formatNames() string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.ending)
	}
	return strings.Join(names, ", ")
}
