package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"newel"
)

// csvHeader are the columns of every CSV, in an order that stays; new ones come
// after them and before the dims.* columns.
var csvHeader = [...]string{
	"item", "case", "trial", "dims", "rubric", "verdict", "reason", "layer", "value", "choice",
	"explanation", "error_kind", "error_message", "inclusion", "scores",
	"shown", "quarantined", "calls", "cost_usd", "cost_status", "model_used", "latency_ms", "held_usd",
}

// CSV writes rows as comma-separated values (RFC 4180, UTF-8, a header line).
// The columns dims and scores hold JSON; each name in dims adds a column
// dims.NAME at the end, empty where a row lacks it. An empty cell is "not
// there", never a zero.
//
// A spreadsheet takes a cell that begins with = + - or @ for a formula, so such
// text (and text that begins with a tab or carriage return, or with blanks
// before one of these) gets a ' in front. Numbers are left alone. A program that
// wants text unchanged reads JSON lines.
func CSV(w io.Writer, rows Rows, dims []string) error {
	out := csv.NewWriter(w)
	header := append([]string(nil), csvHeader[:]...)
	for _, d := range dims {
		header = append(header, guard("dims."+d))
	}
	out.Write(header)
	for row, err := range rows {
		if err != nil {
			return fmt.Errorf("render csv: %w", err)
		}
		record, err := csvRecord(&row, dims)
		if err != nil {
			return fmt.Errorf("render csv: case %q: %w", row.Case, err)
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("render csv: %w", err)
		}
	}
	out.Flush()
	return out.Error()
}

func csvRecord(r *newel.Row, dims []string) ([]string, error) {
	dimsJSON, err := compact(mapped(r.Dims))
	if err != nil {
		return nil, err
	}
	scores, err := compact(listed(r.Scores))
	if err != nil {
		return nil, err
	}
	var value, inclusion, kind, message string
	if r.Value != nil {
		value = r.Value.String()
	}
	if r.Inclusion != nil {
		inclusion = strconv.FormatFloat(*r.Inclusion, 'f', -1, 64)
	}
	if r.Error != nil {
		kind, message = string(r.Error.Kind), r.Error.Message
	}
	record := []string{
		r.Item, guard(r.Case), strconv.Itoa(r.Trial), dimsJSON, guard(r.Rubric), r.Verdict, guard(r.Reason), r.Layer, value, guard(r.Choice),
		guard(r.Explanation), guard(kind), guard(message), inclusion, scores,
		guard(r.Shown), flag(r.Quarantined),
	}
	bill, err := rowBill(r.Calls)
	if err != nil {
		return nil, err
	}
	record = append(record, bill...)
	for _, d := range dims {
		record = append(record, guard(r.Dims[d]))
	}
	return record, nil
}

func flag(on bool) string {
	if on {
		return "true"
	}
	return ""
}

// rowBill is what a row's calls come to: how many, what they cost together, how
// that is known, the models that answered, the time that they took, added up, and
// what is not known of the cost comes to at most. All is empty without calls; a
// cost of which a call's is unknown is empty too, and its status says so. Replies
// that were there took no time.
func rowBill(calls []newel.Raw) ([]string, error) {
	out := make([]string, 6)
	if len(calls) == 0 {
		return out, nil
	}
	var total, held newel.Money
	known, status, latency, timed := true, "", 0.0, false
	var models []string
	for _, raw := range calls {
		var c newel.Call
		err := json.Unmarshal(raw, &c)
		if err != nil {
			return nil, fmt.Errorf("record of a call: %w", err)
		}
		if known = known && c.Cost.USD != nil; known {
			if total, err = total.Add(*c.Cost.USD); err != nil {
				return nil, err
			}
		}
		status = vaguer(status, callStatus(&c))
		if model := c.ModelUsed; model != "" && !slices.Contains(models, model) {
			models = append(models, model)
		}
		if c.Reused != nil {
			continue
		}
		timed = true
		latency += c.ClientMS
		if held, err = held.Add(c.Cost.Held); err != nil {
			return nil, err
		}
	}
	out[0], out[2], out[3] = strconv.Itoa(len(calls)), status, guard(strings.Join(models, " "))
	if known {
		out[1] = total.String()
	}
	if timed {
		out[4] = strconv.FormatFloat(latency, 'f', 3, 64)
	}
	if held > 0 {
		out[5] = held.String()
	}
	return out, nil
}

// callStatus is how a call's cost is known: attempts before the last, which may
// have been billed, make a lower end of it.
func callStatus(c *newel.Call) string {
	if c.PartlyKnown() {
		return newel.CostLowerBound
	}
	return c.Cost.Status
}

// vaguer returns the status of which less is known.
func vaguer(a, b string) string {
	order := [...]string{"", newel.CostZero, newel.CostBilled, newel.CostGateway, newel.CostTable, newel.CostUpperBound, newel.CostLowerBound, newel.CostUnknown}
	if slices.Index(order[:], b) > slices.Index(order[:], a) {
		return b
	}
	return a
}

// compact returns v as JSON on one line.
func compact(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return calmJSON(strings.TrimSuffix(b.String(), "\n")), err
}

// calmJSON writes what would act on a terminal, and JSON lets stand, as JSON's
// own escapes: it reads back as the same value.
func calmJSON(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !acts(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// guard keeps a spreadsheet from taking text for a formula. The full-width
// signs count too: some spreadsheets fold them. Broken UTF-8 becomes U+FFFD, and
// what acts on a terminal, NUL among it, an escape; line ends and tabs stay.
func guard(text string) string {
	text = visible(strings.ToValidUTF8(text, "\ufffd"), "\t\r\n")
	bare := strings.TrimLeft(text, " \u00a0\u3000")
	if bare == "" {
		return text
	}
	if strings.ContainsRune("=+-@\t\r\n", rune(bare[0])) {
		return "'" + text
	}
	for _, sign := range [...]string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(bare, sign) {
			return "'" + text
		}
	}
	return text
}
