package data_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

type row struct {
	ID       string `parquet:"id"`
	Question string `parquet:"question"`
	Lang     string `parquet:"lang,optional"`
}

// rows are written in every format; one has texts that need quoting.
func rows(n int) []row {
	out := make([]row, n)
	for i := range out {
		out[i] = row{fmt.Sprintf("case-%d", i), fmt.Sprintf("How many, \"%d\"\nor é?", i), "de"}
		if i%3 == 0 {
			out[i].Lang = ""
		}
	}
	return out
}

func asJSONL(list []row) string {
	var b strings.Builder
	for _, r := range list {
		b.WriteString(object(r) + "\n")
	}
	return b.String()
}

func object(r row) string {
	if r.Lang == "" {
		return fmt.Sprintf(`{"id":%q,"question":%q}`, r.ID, r.Question)
	}
	return fmt.Sprintf(`{"id":%q,"question":%q,"lang":%q}`, r.ID, r.Question, r.Lang)
}

func asJSON(list []row) string {
	var parts []string
	for _, r := range list {
		parts = append(parts, "  "+object(r))
	}
	return "[\n" + strings.Join(parts, ",\n") + "\n]\n"
}

func asTable(list []row, comma string) string {
	var b strings.Builder
	b.WriteString(strings.Join([]string{"id", "question", "lang"}, comma) + "\r\n")
	for _, r := range list {
		quoted := `"` + strings.ReplaceAll(r.Question, `"`, `""`) + `"`
		b.WriteString(strings.Join([]string{r.ID, quoted, r.Lang}, comma) + "\r\n")
	}
	return b.String()
}

func asParquet(t testing.TB, list []row) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(300))
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func packed(t testing.TB, ending, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch ending {
	case "":
		return text
	case ".gz":
		w = gzip.NewWriter(&b)
	case ".zst":
		var err error
		if w, err = zstd.NewWriter(&b); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryFormatPackedOrNotGivesTheSameCasesInOrder(t *testing.T) {
	t.Parallel()
	list := rows(1000)
	var want []string
	for _, r := range list {
		text := fmt.Sprintf(`{"id":%q,"input":%q}`, r.ID, r.Question)
		if r.Lang != "" {
			text = fmt.Sprintf(`{"dims":{"language":%q},"id":%q,"input":%q}`, r.Lang, r.ID, r.Question)
		}
		want = append(want, text)
	}
	texts := map[string]string{
		".jsonl": asJSONL(list), ".json": asJSON(list), ".csv": asTable(list, ","), ".tsv": asTable(list, "\t"), ".parquet": asParquet(t, list),
	}
	for format, text := range texts {
		for _, packing := range []string{"", ".gz", ".zst"} {
			for _, workers := range []int{1, 2, 8} {
				t.Run(fmt.Sprintf("%s%s with %d workers", format, packing, workers), func(t *testing.T) {
					t.Parallel()
					name := "cases" + format + packing
					dir := write(t, map[string]string{name: packed(t, packing, text)})
					entries, wrong := read(t, dir, map[string]any{"file": name, "map": map[string]any{"input": "question", "dims.language": "lang"}}, workers)
					if wrong != "" {
						t.Fatal(wrong)
					}
					var got []string
					for _, e := range entries {
						got = append(got, show(t, e.Case))
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

func TestPlacesAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"blank lines.jsonl": "\xef\xbb\xbf{\"id\":1}\r\n\r\n  \n{\"id\":2}",
		"list.json":         "\xef\xbb\xbf[{\"id\":1},\n\n\n{\"id\":\n2}]",
		"quoted.csv":        "\xef\xbb\xbfid,text\r\n", // filled below
	} {
		lines := []int{1, 4}
		if strings.HasSuffix(name, ".csv") {
			text += "1,\"two\r\nlines\"\r\n2,x\r\n"
			lines = []int{2, 4}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries, wrong := read(t, write(t, map[string]string{name: text}), map[string]any{"file": name}, 2)
			if wrong != "" {
				t.Fatal(wrong)
			}
			var got []int
			for _, e := range entries {
				got = append(got, e.Pos.Line)
			}
			if diff := cmp.Diff(lines, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
