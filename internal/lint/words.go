package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// word is something that says where or how a file was made rather than what it
// is for.
type word struct {
	hint    string // in lower case, stands in all that matches: looked for first
	pattern *regexp.Regexp
	why     string
}

// words never stand in a file. They are written in pieces here, so that this
// file may stand too.
var words = []word{
	{`wo` + `rk/`, regexp.MustCompile(`(^|[^\w./-])/` + `work/(main|shared)\b`), "a folder of one machine"},
	{`/tmp/`, regexp.MustCompile(`(^|[^\w./-])/` + `tmp/(w|gb|bash_jobs)\b`), "a folder of one machine"},
	{`/` + `root/`, regexp.MustCompile(`(^|[^\w./-])/` + `root/(go|\.cache)\b`), "a folder of one machine"},
	{`agent`, regexp.MustCompile(`(?i)\bsub-?` + `agents?\b`), "how the file was made"},
	{`helper`, regexp.MustCompile(`(?i)\bhelper` + `-\d`), "how the file was made"},
	{`golang`, regexp.MustCompile(`\b(proxy|sum)\.` + `golang\.org\b`), "a package registry's host"},
	{`npmjs`, regexp.MustCompile(`\bregistry\.` + `npmjs\.(org|com)\b`), "a package registry's host"},
	{`.org`, regexp.MustCompile(`\b(files\.pythonhosted|py` + `pi)\.org\b`), "a package registry's host"},
	{`crates`, regexp.MustCompile(`\b(static\.|index\.)?crates` + `\.io\b`), "a package registry's host"},
	{`maven`, regexp.MustCompile(`\brepo1?\.maven\.` + `(apache\.)?org\b`), "a package registry's host"},
	{`debian`, regexp.MustCompile(`\b(deb|security)\.` + `debian\.org\b`), "a package registry's host"},
	{`issue`, regexp.MustCompile(`(?i)\bissue ` + `#?\d+\b`), "a number that only a tracker knows"},
}

// packed are files whose bytes are not text.
var packed = []string{".zst", ".gz", ".parquet", ".png", ".jpg", ".jpeg", ".wav", ".mp3", ".db", ".db-wal", ".db-shm"}

// Words returns where a file under root has a word that never stands in one.
// Data that others wrote, in testdata or under examples, is held only to the
// words that name a folder.
func Words(root fs.FS) ([]string, error) {
	var found []string
	err := walk(root, func(name string) error {
		if fitsExt(packed, name) {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil // not text: a binary left by a build
		}
		lower := bytes.ToLower(text)
		for _, w := range words {
			if !bytes.Contains(lower, []byte(w.hint)) || others(name) && !strings.HasPrefix(w.why, "a folder") {
				continue
			}
			if at := w.pattern.FindIndex(text); at != nil {
				line := 1 + bytes.Count(text[:at[1]], []byte("\n"))
				found = append(found, fmt.Sprintf("%s:%d: %q: %s", name, line, bytes.TrimSpace(text[at[0]:at[1]]), w.why))
			}
		}
		return nil
	})
	return found, err
}

// others reports whether a file may hold data that others wrote.
func others(name string) bool {
	return strings.Contains("/"+name, "/testdata/") || strings.HasPrefix(name, "examples/") && path.Ext(name) != ".md"
}

func fitsExt(list []string, name string) bool {
	for _, ext := range list {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
