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
	pattern *regexp.Regexp
	why     string
}

// words never stand in a file. They are written in pieces here, so that this
// file may stand too.
var words = []word{
	{regexp.MustCompile(`(^|[^\w./-])/` + `work/(main|shared)\b`), "a folder of one machine"},
	{regexp.MustCompile(`(^|[^\w./-])/` + `tmp/(w|gb|bash_jobs)\b`), "a folder of one machine"},
	{regexp.MustCompile(`(^|[^\w./-])/` + `(root|home/\w+)/(go|\.cache)\b`), "a folder of one machine"},
	{regexp.MustCompile(`(?i)\bsub-?` + `agents?\b`), "how the file was made"},
	{regexp.MustCompile(`(?i)\bhelper` + `-\d`), "how the file was made"},
	{regexp.MustCompile(`\b(proxy|sum)\.` + `golang\.org\b`), "a package registry's host"},
	{regexp.MustCompile(`\bregistry\.` + `npmjs\.(org|com)\b`), "a package registry's host"},
	{regexp.MustCompile(`\b(files\.pythonhosted|py` + `pi)\.org\b`), "a package registry's host"},
	{regexp.MustCompile(`\b(static\.|index\.)?crates` + `\.io\b`), "a package registry's host"},
	{regexp.MustCompile(`\brepo1?\.maven\.` + `(apache\.)?org\b`), "a package registry's host"},
	{regexp.MustCompile(`\b(deb|security)\.` + `debian\.org\b`), "a package registry's host"},
	{regexp.MustCompile(`(?i)\bissue ` + `#?\d+\b`), "a number that only a tracker knows"},
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
		for _, w := range words {
			if others(name) && !strings.HasPrefix(w.why, "a folder") {
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
