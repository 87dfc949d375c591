package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// table prints a row a size, and how CPU time grows from each to the next.
func table(out io.Writer, rows []row, peer string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "cases\tnewel wall\tnewel CPU\tnewel peak\tstore / input\tbare CPU\tnewel / bare CPU\tCPU a case, to the row above\t")
	for i, r := range rows {
		grown := "–"
		if i > 0 {
			grown = fmt.Sprintf("× %.2f", perCase(r)/perCase(rows[i-1]))
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.3f\t%s\t%.2f\t%s\t\n", r.cases, seconds(r.newel.wall), seconds(r.newel.cpu), megabytes(r.newel.peak),
			float64(r.store)/float64(r.input), seconds(r.bare.cpu), r.ratio, grown)
	}
	if err := w.Flush(); err != nil || peer == "" {
		return err
	}
	n, p := rows[0].newel, rows[0].peer
	_, err := fmt.Fprintf(out, "\n%s on the same %d cases, once: wall %s, CPU %s, peak %s: × %.0f, × %.0f and × %.0f of newel's\n", peer, rows[0].cases,
		seconds(p.wall), seconds(p.cpu), megabytes(p.peak), p.wall.Seconds()/n.wall.Seconds(), p.cpu.Seconds()/n.cpu.Seconds(), float64(p.peak)/float64(max(1, n.peak)))
	return err
}

func perCase(r row) float64 { return r.newel.cpu.Seconds() / float64(r.cases) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
