package suite

import (
	"regexp"
	"strconv"
	"strings"

	"newel"
)

// extract reads how the answer is cut out of recorded replies: {regex: PATTERN,
// take: first | last}. Of a pattern with a group the group is taken.
func (d *decoder) extract(n *newel.Node) func(*newel.Subject, string) (string, error) {
	if !d.object(n, "extract", "regex", "take") {
		return nil
	}
	text := d.text(n.Field("regex"), "extract: regex")
	if n.Lacks("regex", []string{"regex", "take"}) {
		d.wrong(n.Pos, "extract needs regex: a pattern that finds the answer in a reply")
	}
	last := false
	if take := n.Field("take"); take != nil {
		d.word(take, "extract: take", "first", "last")
		last = take.Value == "last"
	}
	re, err := regexp.Compile(text)
	if err != nil {
		d.wrong(n.Field("regex").Pos, "extract: %v", err)
		return nil
	}
	return func(_ *newel.Subject, reply string) (string, error) { return cut(re, reply, last) }
}

// cut returns the first or last match, or its first group.
func cut(re *regexp.Regexp, reply string, last bool) (string, error) {
	at := re.FindStringSubmatchIndex(reply)
	if at == nil {
		return "", &newel.OutputError{Msg: "the reply has nothing that matches " + strconv.Quote(re.String())}
	}
	if last {
		all := re.FindAllStringSubmatchIndex(reply, -1)
		at = all[len(all)-1]
	}
	if len(at) > 2 && at[2] >= 0 {
		return strings.Clone(reply[at[2]:at[3]]), nil
	}
	return strings.Clone(reply[at[0]:at[1]]), nil
}
