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
	fmt.Fprintf(&b, "cost   %s\n", v.cost())
	if len(v.Variables) > 0 {
		fmt.Fprintf(&b, "needs  the variables %s%s\n", strings.Join(v.Variables, ", "), notSet(v.Unset))
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
	if v.Bill != nil {
		if err := report.BillText(&b, v.Bill, a.layout()); err != nil {
			return err
		}
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

// cost is what a run would pay for, in one line.
func (v *planView) cost() string {
	var parts []string
	if v.Calls.Target > 0 {
		parts = append(parts, counted(v.Calls.Target, "question")+" to the target, at the target's price")
	}
	if v.Bill != nil {
		parts = append(parts, v.Bill.Line())
	}
	if len(parts) == 0 {
		return "$0: nothing is asked or called"
	}
	return strings.Join(parts, "; ")
}

func notSet(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (not set here: %s)", strings.Join(names, ", "))
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
