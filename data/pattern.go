package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"newel"
)

// pattern is a path with wildcards (*, ?, [a-z], {a,b}, **) and captures: {name}
// stands for a part of one path element, at least a character of it.
type pattern struct {
	glob  string // captures as wildcards
	match *regexp.Regexp
	names []string // of the captures
}

// capture is a {name}: alternatives have a comma, a name has none.
var capture = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// parsePattern reads a pattern.
func parsePattern(text string) (*pattern, error) {
	p := &pattern{glob: capture.ReplaceAllString(text, "*")}
	if !doublestar.ValidatePattern(p.glob) {
		return nil, fmt.Errorf("pattern %q is not closed: a [ or { lacks its partner", text)
	}
	for _, m := range capture.FindAllStringSubmatch(text, -1) {
		if slices.Contains(p.names, m[1]) {
			return nil, fmt.Errorf("pattern %q captures {%s} twice", text, m[1])
		}
		p.names = append(p.names, m[1])
	}
	var err error
	if p.match, err = regexp.Compile("^" + expression(text) + "$"); err != nil {
		return nil, fmt.Errorf("pattern %q cannot be read: write it with *, ?, [a-z], {a,b} and {name}", text)
	}
	return p, nil
}

// expression turns a pattern into a regular expression with a group for each
// capture.
func expression(text string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(text); {
		rest := text[i:]
		if m := capture.FindStringSubmatchIndex(rest); m != nil && m[0] == 0 {
			b.WriteString("([^/]+)")
			i += m[1]
			continue
		}
		n := 1
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			n = 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			n = 2
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		case rest[0] == '[':
			n = class(&b, rest)
		case rest[0] == '{':
			b.WriteString("(?:")
			depth++
		case rest[0] == '}' && depth > 0:
			b.WriteString(")")
			depth--
		case rest[0] == ',' && depth > 0:
			b.WriteString("|")
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			n = 2
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
		}
		i += n
	}
	return b.String()
}

// class copies a [a-z] or [!a-z] and returns its length.
func class(b *strings.Builder, rest string) int {
	end := strings.IndexByte(rest, ']')
	if end < 2 {
		b.WriteString(regexp.QuoteMeta("["))
		return 1
	}
	inner := rest[1:end]
	if inner[0] == '!' {
		inner = "^" + inner[1:]
	}
	b.WriteString("[" + inner + "]")
	return end + 1
}

// captures returns what the captures stand for in a path, nil without any.
func (p *pattern) captures(name string) map[string]string {
	if len(p.names) == 0 {
		return nil
	}
	found := p.match.FindStringSubmatch(name)
	if found == nil {
		return nil
	}
	m := make(map[string]string, len(p.names))
	for i, n := range p.names {
		m[n] = found[i+1]
	}
	return m
}

// isPattern reports whether a path has wildcards or captures.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[{") }

// dataFile is one file of a source.
type dataFile struct {
	at       place
	shown    string // for messages
	captures map[string]string
	format   fileFormat
	packing  packing
}

// expand finds the files that a path or pattern of the suite names, in byte
// order.
func (f *Folders) expand(text, suiteFile string) ([]*dataFile, error) {
	at, err := f.find(text)
	if err != nil {
		return nil, err
	}
	if at.exists() {
		return f.literal(at, suiteFile)
	}
	if isPattern(text) {
		return f.glob(text, at, suiteFile)
	}
	return nil, fmt.Errorf("no such file: %s%s", text, f.nearby(at))
}

func (f *Folders) literal(at place, suiteFile string) ([]*dataFile, error) {
	opened, err := f.open(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is a link that leads nowhere", at.path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", at.path, err)
	}
	one, err := f.dataFile(at, suiteFile)
	return []*dataFile{one}, errors.Join(err, opened.Close())
}

// glob looks in the folder that the pattern leads to, then in the data roots.
func (f *Folders) glob(text string, at place, suiteFile string) ([]*dataFile, error) {
	p, err := parsePattern(at.path)
	if err != nil {
		return nil, err
	}
	for _, in := range append([]*folder{at.in}, f.list[1:]...) {
		names, err := matches(in, p)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			return f.matched(p, in, names, suiteFile)
		}
	}
	base, _ := doublestar.SplitPattern(p.glob)
	return nil, fmt.Errorf("no file matches %s%s", text, f.nearby(place{at.in, path.Join(base, "*")}))
}

func matches(in *folder, p *pattern) ([]string, error) {
	var names []string
	err := doublestar.GlobWalk(in.root.FS(), p.glob, func(name string, d fs.DirEntry) error {
		// A capture takes at least one character, the * that stands for it none.
		if !d.IsDir() && p.match.MatchString(name) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", p.glob, err)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (f *Folders) matched(p *pattern, in *folder, names []string, suiteFile string) ([]*dataFile, error) {
	var list []*dataFile
	for _, name := range names {
		one, err := f.dataFile(place{in, name}, suiteFile)
		if err != nil {
			return nil, err
		}
		one.captures = p.captures(name)
		list = append(list, one)
	}
	return list, nil
}

// dataFile names a file for messages as the suite is named, so that a click
// finds it.
func (f *Folders) dataFile(at place, suiteFile string) (*dataFile, error) {
	format, packing, ok := formatOf(at.path)
	if !ok {
		return nil, fmt.Errorf("%s: unknown format: want a name that ends in %s, each also with .gz or .zst", at.path, formatNames())
	}
	shown := path.Join(path.Dir(filepath.ToSlash(suiteFile)), at.path)
	if at.in != f.list[0] {
		shown = path.Join(filepath.ToSlash(at.in.shown), at.path)
	}
	return &dataFile{at: at, shown: shown, format: format, packing: packing}, nil
}

// didYouMeanFile proposes a name, or says what there is.
func didYouMeanFile(name string, names []string) string {
	slices.Sort(names)
	if near := newel.DidYouMean(name, names); near != "" && !isPattern(name) {
		return near
	}
	switch n := len(names); {
	case n == 0:
		return "; the folder has no data files"
	case n > 5:
		return fmt.Sprintf("; the folder has %s and %d more", strings.Join(names[:5], ", "), n-5)
	}
	return "; the folder has " + strings.Join(names, ", ")
}
