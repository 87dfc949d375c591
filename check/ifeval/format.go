package ifeval

import (
	"encoding/json"
	"regexp"
	"strings"
)

var (
	starBullets  = regexp.MustCompile(`(?m)^[` + spaceClass + `]*\*[^*].*$`)
	dashBullets  = regexp.MustCompile(`(?m)^[` + spaceClass + `]*-.*$`)
	dotBullets   = regexp.MustCompile(`(?m)^[` + spaceClass + `]*・.*$`)
	italics      = regexp.MustCompile(`\*[^\n*]*\*`)
	bolds        = regexp.MustCompile(`\*\*[^\n*]*\*\*`)
	titles       = regexp.MustCompile(`<<[^\n]+>>`)
	hashTitles   = regexp.MustCompile(`##[^\n]+##`)
	cornerTitles = regexp.MustCompile(`『[^\n]+』`)
)

// bulletLists demands exactly so many lines that begin with one asterisk or a hyphen; in Japanese,
// with a middle dot.
func bulletLists(v values) func(string) bool {
	want, kinds := v.count("num_bullets"), []*regexp.Regexp{starBullets, dashBullets}
	if v.lang == "ja" {
		kinds = []*regexp.Regexp{dotBullets}
	}
	return func(text string) bool {
		n := 0
		for _, k := range kinds {
			n += len(k.FindAllStringIndex(text, -1))
		}
		return n == want
	}
}

// highlightedSections demands so many stretches of *emphasis* or **strong emphasis**.
func highlightedSections(v values) func(string) bool {
	want, holds := v.count("num_highlights"), v.compareOr(atLeast)
	return func(text string) bool {
		n := 0
		for _, h := range italics.FindAllString(text, -1) {
			if !blank(strings.Trim(h, "*")) {
				n++
			}
		}
		for _, h := range bolds.FindAllString(text, -1) {
			if !blank(h[2 : len(h)-2]) {
				n++
			}
		}
		return holds(n, want)
	}
}

// sections demands so many headings: the divider word followed by a number.
func sections(v values) func(string) bool {
	heading := regexp.MustCompile(regexp.QuoteMeta(v.text("section_spliter")) + `[` + spaceClass + `]?\p{Nd}+`)
	want, holds := v.count("num_sections"), v.compareOr(atLeast)
	return func(text string) bool { return holds(len(heading.FindAllStringIndex(text, -1)), want) }
}

// title demands a title in <<double angular brackets>> on one line; in French, between ##hashes##.
func title(v values) func(string) bool {
	pattern, open, end := titles, "<", ">"
	switch v.lang {
	case "fr":
		pattern, open, end = hashTitles, "#", "#"
	case "ja":
		pattern, open, end = cornerTitles, "『", "』"
	}
	return func(text string) bool {
		for _, t := range pattern.FindAllString(text, -1) {
			if !blank(strings.TrimRight(strings.TrimLeft(t, open), end)) {
				return true
			}
		}
		return false
	}
}

// jsonFormat demands that the whole text is one JSON value, in a Markdown code fence or bare.
func jsonFormat(values) func(string) bool {
	return func(text string) bool {
		text = strip(text)
		for _, fence := range []string{"```json", "```Json", "```JSON", "```"} {
			text = strings.TrimPrefix(text, fence)
		}
		return json.Valid([]byte(strip(strings.TrimSuffix(text, "```"))))
	}
}

// constrainedResponse demands that the text holds one of the answers of its language.
func constrainedResponse(v values) func(string) bool {
	options := map[string][]string{
		"en": {"My answer is yes.", "My answer is no.", "My answer is maybe."},
		"es": {"Sí.", "No.", "Quizás."},
		"fr": {"Oui.", "Non.", "Peut-être."},
		"ja": {"はい、そうです。", "いいえ、違います。", "どちらとも言えません。"},
	}[v.lang]
	return func(text string) bool {
		for _, o := range options {
			if strings.Contains(text, o) {
				return true
			}
		}
		return false
	}
}

// placeholders demands so many [stretches in square brackets], each within a line.
func placeholders(v values) func(string) bool {
	want, holds := v.count("num_placeholders"), v.compareOr(atLeast)
	return func(text string) bool { return holds(countBrackets(text), want) }
}

func countBrackets(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		for {
			open := strings.IndexByte(line, '[')
			if open < 0 {
				break
			}
			end := strings.IndexByte(line[open:], ']')
			if end < 0 {
				break
			}
			n++
			line = line[open+end+1:]
		}
	}
	return n
}

// postscript demands that the marker stands somewhere, in any case. P.S. and P.P.S may be spaced.
func postscript(v values) func(string) bool {
	marker := strings.ToLower(v.text("postscript_marker"))
	spaced := map[string]string{
		"p.p.s": `p\.[` + spaceClass + `]?p\.[` + spaceClass + `]?s`,
		"p.s.":  `p\.[` + spaceClass + `]?s\.`,
	}[marker]
	if spaced == "" {
		return func(text string) bool { return strings.Contains(strings.ToLower(text), marker) }
	}
	pattern := regexp.MustCompile(spaced)
	return func(text string) bool { return pattern.MatchString(strings.ToLower(text)) }
}
