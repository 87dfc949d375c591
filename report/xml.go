package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// xmlPage writes XML by hand, so that it streams and each byte is ours. What XML
// 1.0 cannot hold, and what would act on a reader, becomes a visible escape.
type xmlPage struct {
	w       *bufio.Writer
	escaper *strings.Replacer // of what has a meaning in attributes or in text
}

func newXML(w io.Writer) *xmlPage {
	escaper := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
	return &xmlPage{bufio.NewWriter(w), escaper}
}

// attr is one attribute.
type attr struct{ name, value string }

func number64(name string, n int) attr { return attr{name, strconv.Itoa(n)} }

// open writes a start tag without its end: "<name a="b"".
func (x *xmlPage) open(depth int, name string, attrs ...attr) {
	x.w.WriteString(strings.Repeat("  ", depth) + "<" + name)
	for _, a := range attrs {
		x.w.WriteString(" " + a.name + `="`)
		x.escaper.WriteString(x.w, Visible(a.value))
		x.w.WriteByte('"')
	}
}

// start writes a whole start tag and a line end.
func (x *xmlPage) start(depth int, name string, attrs ...attr) {
	x.open(depth, name, attrs...)
	x.w.WriteString(">\n")
}

// empty writes a tag that holds nothing.
func (x *xmlPage) empty(depth int, name string, attrs ...attr) {
	x.open(depth, name, attrs...)
	x.w.WriteString("/>\n")
}

// body writes an element that holds text; its line ends and tabs stay.
func (x *xmlPage) body(depth int, name, text string, attrs ...attr) {
	if text == "" {
		x.empty(depth, name, attrs...)
		return
	}
	x.open(depth, name, attrs...)
	x.w.WriteByte('>')
	x.escaper.WriteString(x.w, visible(text, "\n\t"))
	x.w.WriteString("</" + name + ">\n")
}

func (x *xmlPage) end(depth int, name string) {
	x.w.WriteString(strings.Repeat("  ", depth) + "</" + name + ">\n")
}
