package check

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"newel"
)

// maxXMLDepth bounds how deep elements may stand in each other.
const maxXMLDepth = 256

// xmlSpec asks for well-formed XML.
func xmlSpec() *Spec {
	return &Spec{
		Name: "xml", Family: "schema", Main: "root",
		About:  "The text is one well-formed XML document, with the given root and elements where these are given. Nothing is fetched and no entity is expanded: any but the five that XML predefines is a fault.",
		Source: "Extensible Markup Language 1.0, fifth edition",
		Params: []Param{
			{Name: "root", Type: "text", About: "the name of the outermost element"},
			{Name: "elements", Type: "text or list", About: "elements that must each be there: a name, wherever it stands, or a path from the root (order/item/sku); prefixes as they are written"},
		},
		Extra:       readingParams,
		Example:     `xml: {root: order, elements: [order/item, total]}`,
		Approximate: "Names may hold any number of colons, white space between two attributes may be missing, and the contents of a DOCTYPE are not looked at; validity against a DTD or schema is not checked.",
		Build: func(a *Args) Func {
			reading, root, elements := ReadingOf(a), Text(a, "root", ""), Texts(a, "elements")
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, err := boundedText(reading, s)
				if err != nil {
					return Because(err)
				}
				name, err := root.At(s)
				if err != nil {
					return Because(err)
				}
				wanted, err := elements.At(s)
				if err != nil {
					return Because(err)
				}
				return xmlScore(text, name, wanted)
			}
		},
	}
}

func xmlScore(text, root string, elements []string) newel.Score {
	doc := &xmlDoc{seen: make(map[string]bool, len(elements))}
	for _, e := range elements {
		doc.seen[strings.Trim(e, "/")] = false
	}
	if err := doc.read(text); err != nil {
		var limit *LimitError
		if errors.As(err, &limit) {
			return Because(err)
		}
		return newel.Missed("the text is not well-formed XML: " + err.Error())
	}
	if root != "" && doc.root != root {
		return newel.Missed(fmt.Sprintf("the root element is %s, not %s", show(doc.root), show(root)))
	}
	var missing []string
	for _, e := range elements {
		if !doc.seen[strings.Trim(e, "/")] {
			missing = append(missing, e)
		}
	}
	if len(missing) > 0 {
		return newel.Missed("the XML has no element " + showList(missing))
	}
	return newel.Passed()
}

// xmlDoc is what is kept of a document while it is read.
type xmlDoc struct {
	root string
	path []string
	seen map[string]bool // by name or path: whether it was met
}

func (d *xmlDoc) read(text string) error {
	dec := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // a text is Unicode already
	for first := true; ; first = false {
		start := dec.InputOffset()
		tok, err := dec.RawToken()
		if err == io.EOF {
			return d.end()
		}
		if err == nil {
			err = d.token(tok, first && start == 0)
		}
		if err != nil {
			return xmlFault(dec, err)
		}
	}
}

func (d *xmlDoc) end() error {
	switch {
	case len(d.path) > 0:
		return fmt.Errorf("<%s> is never closed", d.path[len(d.path)-1])
	case d.root == "":
		return errors.New("there is no element")
	}
	return nil
}

func xmlFault(dec *xml.Decoder, err error) error {
	var limit *LimitError
	if errors.As(err, &limit) {
		return err
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line %d: %s", syntax.Line, syntax.Msg)
	}
	line, column := dec.InputPos()
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

func (d *xmlDoc) token(tok xml.Token, first bool) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return d.open(t)
	case xml.EndElement:
		return d.close(xmlName(t.Name))
	case xml.CharData:
		if len(d.path) == 0 && len(strings.TrimSpace(string(t))) > 0 {
			return fmt.Errorf("the text %s stands outside the root element", show(strings.TrimSpace(string(t))))
		}
	case xml.ProcInst:
		if strings.EqualFold(t.Target, "xml") && !first {
			return errors.New("an XML declaration stands at the very beginning or nowhere")
		}
	case xml.Directive:
		if d.root != "" {
			return errors.New("a declaration stands after the root element has begun")
		}
	}
	return nil
}

func (d *xmlDoc) open(t xml.StartElement) error {
	name := xmlName(t.Name)
	switch {
	case len(d.path) >= maxXMLDepth:
		return &LimitError{fmt.Sprintf("the XML is nested deeper than %d elements", maxXMLDepth)}
	case len(d.path) == 0 && d.root != "":
		return fmt.Errorf("<%s> is a second root element", name)
	}
	if len(t.Attr) > 1 {
		seen := make(map[xml.Name]bool, len(t.Attr))
		for _, a := range t.Attr {
			if seen[a.Name] {
				return fmt.Errorf("<%s> has the attribute %s twice", name, xmlName(a.Name))
			}
			seen[a.Name] = true
		}
	}
	d.path = append(d.path, name)
	if len(d.path) == 1 {
		d.root = name
	}
	if len(d.seen) > 0 {
		d.meet(name)
	}
	return nil
}

func (d *xmlDoc) meet(name string) {
	if _, wanted := d.seen[name]; wanted {
		d.seen[name] = true
	}
	if path := strings.Join(d.path, "/"); len(d.path) > 1 {
		if _, wanted := d.seen[path]; wanted {
			d.seen[path] = true
		}
	}
}

func (d *xmlDoc) close(name string) error {
	if len(d.path) == 0 {
		return fmt.Errorf("</%s> closes nothing", name)
	}
	if open := d.path[len(d.path)-1]; open != name {
		return fmt.Errorf("<%s> is closed by </%s>", open, name)
	}
	d.path = d.path[:len(d.path)-1]
	return nil
}

// xmlName returns a name as it was written.
func xmlName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}
