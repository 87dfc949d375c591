package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"newel"
)

// lookup finds the records of a join's files by their key. Records lie in
// memory as long as they are few, else in a temporary file; what stays in
// memory for each is its key's hash and its place, some 80 bytes.
type lookup struct {
	join    *join
	files   []*fileRun // the join's
	spots   map[[16]byte]spot
	again   []spot // of the second record of keys that have several
	records spool
}

// spot is where a record lies, and where it was written.
type spot struct {
	offset    int64
	size      int32 // of its JSON
	text      int32 // of the row of a table that it was made of, which lies behind
	file      int32
	line, col int32
	again     int32 // above zero: the key's second record is number again-1
}

func (l *lookup) close() {
	if l != nil {
		l.records.close()
	}
}

// keyHash shortens a key. 128 bits of SHA-256 do not meet by chance.
func keyHash(key string) [16]byte {
	h := newel.HashOf([]byte(key))
	return [16]byte(h[:])
}

// load reads the files of a source's join. It returns false when they hold
// mistakes, which it hands on: then the source cannot be read.
func (p *pipeline) load(src *sourceRun) (bool, error) {
	l := &lookup{join: src.join, spots: map[[16]byte]spot{}}
	src.lookup = l
	var wrong newel.Mistakes
	for i, file := range src.join.files {
		if err := p.loadFile(l, int32(i), file, &wrong); err != nil {
			return false, err
		}
	}
	if wrong.Len() == 0 {
		return true, nil
	}
	b := &block{src: src, file: &fileRun{dataFile: &dataFile{}}, wrong: wrong, done: make(chan struct{})}
	return false, p.hand(b)
}

func (p *pipeline) loadFile(l *lookup, n int32, file *dataFile, wrong *newel.Mistakes) error {
	d := newDecoder(p.ctx, p.set.folders)
	other := &sourceRun{source: &source{mapping: newMapping()}}
	run := &fileRun{dataFile: file}
	l.files = append(l.files, run)
	s := &sink{ctx: p.ctx, src: other, file: run}
	s.columns = func(names []string) {
		run.header.names = names
		for _, pair := range l.join.on {
			if !slices.Contains(names, pair.right[0]) && !slices.Contains(names, pair.rightText) {
				s.wrongAt(l.join.pos, "join: %s has no column %q%s", file.shown, pair.right[0], columnHint(pair.right[0], names))
				s.file.stopped.Store(true)
			}
		}
	}
	s.hand = func(b *block) error {
		var err error
		if !b.file.stopped.Load() {
			err = l.add(d, b, n)
		}
		wrong.Merge(&b.wrong)
		if b.broken && b.file.whole {
			b.file.stopped.Store(true)
		}
		return err
	}
	err := p.set.folders.read(s)
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// brings adds the columns that come from a join to those of a file. It returns
// false when not all can be told beforehand. A nil lookup brings none.
func (l *lookup) brings(names []string) ([]string, bool) {
	names = slices.Clip(names)
	switch {
	case l == nil:
		return names, true
	case l.join.as != "":
		return append(names, l.join.as), true
	}
	for _, file := range l.files {
		if file.header.names == nil {
			return names, false
		}
		names = append(names, file.header.names...)
	}
	return names, true
}

// add puts a block's records in the index.
func (l *lookup) add(d *decoder, b *block, file int32) error {
	t := d.table(b)
	keys := l.join.keys(l.join.right)
	for i := range b.records {
		r := &b.records[i]
		d.cells = d.cells[:0]
		if err := d.object(r.raw, place{}, t); err != nil {
			b.broken = true
			line, col, msg := explain(r, err)
			b.wrong.Add(newel.Pos{File: b.file.shown, Line: line, Column: col}, "%s", msg)
			continue
		}
		key, _, err := keyOf(d.cells, keys)
		if err != nil {
			b.wrong.Add(placeOf(err, origin{r, b.file}), "join: %v", err)
			continue
		}
		offset, err := l.records.add(r.raw)
		if err == nil {
			_, err = l.records.add(r.text)
		}
		if err != nil {
			return fmt.Errorf("join: %w", err)
		}
		l.note(keyHash(key), spot{offset: offset, size: int32(len(r.raw)), text: int32(len(r.text)), file: file, line: int32(r.line), col: int32(r.col)})
	}
	return nil
}

func (l *lookup) note(key [16]byte, s spot) {
	before, ok := l.spots[key]
	switch {
	case !ok:
		l.spots[key] = s
	case before.again == 0:
		l.again = append(l.again, s)
		before.again = int32(len(l.again))
		l.spots[key] = before
	}
}

// read returns the record at a spot.
func (l *lookup) read(at spot) (*joinedRecord, error) {
	raw, err := l.records.read(at.offset, int(at.size))
	if err != nil {
		return nil, err
	}
	return &joinedRecord{raw: raw, as: l.join.as, keys: l.join.dropped(), lookup: l, at: at}, nil
}

// origin is the record as it stands in its file. The row of a table is read
// only here, since it serves messages alone.
func (j *joinedRecord) origin() (origin, error) {
	at := j.at
	text, err := j.lookup.records.read(at.offset+int64(at.size), int(at.text))
	return origin{&record{raw: j.raw, text: text, line: int(at.line), col: int(at.col)}, j.lookup.files[at.file]}, err
}

// keyAt is where a record has its key.
func (l *lookup) keyAt(at spot) (newel.Pos, error) {
	j, err := l.read(at)
	if err != nil {
		return newel.Pos{}, err
	}
	in, err := j.origin()
	pos, _ := in.place(l.join.right(0))
	return pos, err
}

// join adds the columns of the matching record to the cells.
func (d *decoder) join(b *block, t *table) (*joinedRecord, error) {
	l := b.src.lookup
	key, shown, err := keyOf(d.cells, l.join.keys(l.join.left))
	if err != nil {
		return nil, err
	}
	at, ok := l.spots[keyHash(key)]
	switch {
	case !ok:
		return nil, &joinError{l.join.left(0), l.named() + " has no record with " + rightward(shown, l.join)}
	case at.again != 0:
		return nil, l.several(at, rightward(shown, l.join))
	}
	j, err := l.read(at)
	if err != nil {
		return nil, err
	}
	d.extra += int64(at.size)
	return j, d.adjoin(j, l.files[at.file].dataFile, t)
}

// several says that a key is not of one record alone.
func (l *lookup) several(at spot, shown string) error {
	first, err := l.keyAt(at)
	second, errSecond := l.keyAt(l.again[at.again-1])
	if err := errors.Join(err, errSecond); err != nil {
		return err
	}
	return &joinError{l.join.left(0), fmt.Sprintf("more than one record has %s: %s and %s", shown, first, second)}
}

// rightward names the columns of a shown key as the other file does.
func rightward(shown string, j *join) string {
	for _, p := range j.on {
		shown = strings.Replace(shown, p.leftText+" = ", p.rightText+" = ", 1)
	}
	return shown
}

// named is what messages call the join's files.
func (l *lookup) named() string {
	if len(l.join.files) == 1 {
		return l.join.files[0].shown
	}
	return fmt.Sprintf("none of the %d files of the join", len(l.join.files))
}

// adjoin adds the other record's cells: all of it under the name of as, or its
// columns but for the key's.
func (d *decoder) adjoin(j *joinedRecord, file *dataFile, t *table) error {
	if j.as != "" {
		for _, c := range d.cells {
			if c.name == j.as {
				return columnTwice(c.name, "the record has a column %s already: choose another name for as")
			}
		}
		d.cells = append(d.cells, cell{t.named(j.as), j.raw, file.at.dir()})
		return nil
	}
	own := len(d.cells)
	if t.joined == nil {
		t.joined = &table{mapping: t.mapping, flat: t.flat, byName: t.byName}
	}
	if err := d.object(j.raw, file.at.dir(), t.joined); err != nil {
		return err
	}
	added := d.cells[own:]
	d.cells = d.cells[:own]
	for _, c := range added {
		if slices.Contains(j.keys, c.name) {
			continue
		}
		for _, mine := range d.cells[:own] {
			if mine.name == c.name {
				return columnTwice(c.name, "both files have a column %s: keep the other record apart under a name (as: NAME)")
			}
		}
		d.cells = append(d.cells, c)
	}
	return nil
}

func columnTwice(name, format string) error {
	return &joinError{route{name, []string{name}}, fmt.Sprintf(format, quote(name))}
}
