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

// judgedTable prints a row a judged run.
func judgedTable(out io.Writer, rows []judgedRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "cases\tlatency\tat a time\tideal\tbare wall\tnewel wall\t/ ideal\t/ bare\tnewel CPU\ta case\tbare CPU\tnewel peak\trequests\t")
	for _, r := range rows {
		latency, ideal, ratio := r.latency.String(), seconds(r.ideal()), fmt.Sprintf("%.3f", r.newel.wall.Seconds()/r.ideal().Seconds())
		if r.again {
			latency, ideal, ratio = "again", "–", "–"
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%.2f\t%s\t%.2f ms\t%s\t%s\t%d\t\n", r.cases, latency, r.inFlight, ideal, seconds(r.bare.wall), seconds(r.newel.wall),
			ratio, r.ratio, seconds(r.newel.cpu), 1000*r.newel.cpu.Seconds()/float64(r.cases), seconds(r.bare.cpu), megabytes(r.newel.peak), r.requests)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "ideal: cases × latency ÷ at a time. bare: the same posts by Go's own client; of the run again, whose replies are in the journal, six checks alone.\nrequests: of %d runs.\n", judgedRuns)
	return err
}

// capacityTable prints a row a level.
func capacityTable(out io.Writer, all []level) error {
	fmt.Fprintf(out, "\nAn upstream that lets in so many calls at a time, one level after another, and refuses others; newel is not told\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "at a time\tmeasured after\tfor\tused\trefused\t")
	for _, l := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%.1f %%\t%.1f %%\t\n", l.room, l.settles, l.measured, 100*l.used, 100*l.refused)
	}
	return w.Flush()
}
