package main

import (
	"fmt"
	"io"
	"strings"

	"newel/report"
)

func (a *app) printPlan(w io.Writer, v *planView) error {
	var b strings.Builder
	fmt.Fprintf(&b, "suite  %s (%.12s)\nplan   %s of %s, %s (%.12s)\n", report.Visible(v.Suite.Name), v.Suite.Digest,
		counted(v.Plan.Items, "item"), counted(v.Plan.Cases, "case"), counted(v.Plan.Rubrics, "rubric"), v.Plan.Digest)
	fmt.Fprintf(&b, "cost   %s\n", v.Calls.text())
	if len(v.Variables) > 0 {
		fmt.Fprintf(&b, "needs  the variables %s\n", strings.Join(v.Variables, ", "))
	}
	if v.Allow != "" {
		fmt.Fprintf(&b, "needs  --allow-commands %s, since the target is a command\n", report.ShellWord(v.Allow))
	}
	if v.Apart > 0 {
		fmt.Fprintf(&b, "apart  %s in quarantine\n", counted(v.Apart, "case"))
	}
	b.WriteString("\nRubrics\n")
	for _, r := range v.Rubrics {
		r.print(&b)
	}
	if len(v.Gate) > 0 {
		b.WriteString("\nGate\n")
		for _, r := range v.Gate {
			fmt.Fprintf(&b, "  %s: %s\n", report.Visible(r.Rule), report.Visible(r.Can))
		}
	}
	for _, warning := range v.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", report.Visible(warning))
	}
	for _, u := range v.Unready {
		fmt.Fprintf(&b, "\nnot to be run yet: %s\n", report.Visible(u))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c planCalls) text() string {
	if c.Target == 0 && c.Judge == 0 {
		return "$0: nothing is asked or called"
	}
	var parts []string
	if c.Target > 0 {
		parts = append(parts, counted(c.Target, "question")+" to the target, at the target's price")
	}
	if c.Judge > 0 {
		parts = append(parts, "at most "+counted(c.Judge, "judge call"))
	}
	return strings.Join(parts, "; ")
}

func (r *planRubric) print(b *strings.Builder) {
	fmt.Fprintf(b, "  %s: %s\n", report.Visible(r.Name), counted(r.Rows, "row"))
	if len(r.Floor) > 0 {
		fmt.Fprintf(b, "    floor      %s\n", report.Visible(strings.Join(r.Floor, ", ")))
	}
	if len(r.Classifier) > 0 {
		fmt.Fprintf(b, "    classifier %s\n", strings.Join(r.Classifier, ", "))
	}
	if r.Judge != "" {
		fmt.Fprintf(b, "    judge      %s\n", report.Visible(r.Judge))
	}
	if r.EmptyPass > 0 {
		fmt.Fprintf(b, "    careful: an empty answer passes %d of the %d cases tried\n", r.EmptyPass, r.EmptyTried)
	}
}
