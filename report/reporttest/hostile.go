package reporttest

import (
	"strings"

	"newel"
)

// Hostile strings, each with a way to act on whoever reads it.
const (
	ANSI    = "\x1b[2J\x1b]0;owned\a\x1b[31mred"
	Script  = `<script>alert("x")</script><img src=x onerror=alert(1)>`
	Pipes   = "a|b `code` ``two`` | c \\| d ```three"
	Lines   = "first\r\nsecond\n## heading\n| x |\tend"
	RTL     = "abc\u202egnp.exe\u2066 שלום \u200b"
	Mention = "@octocat #1 GH-2 https://evil.example www.evil.example a@evil.example <!-- --> --> &lt; $x$ ~~s~~ *b* [l](https://evil.example)"
	Formula = "=HYPERLINK(\"https://evil.example\",\"x\")"
	Broken  = "bad \xff\xfe utf8 \x00 nul \ufffe"
	Wide    = "退款政策 👩‍👩‍👧‍👦 é"
	CDATA   = "]]> ]]&gt; <![CDATA[ & '\""
)

// HostileStrings are all of them.
func HostileStrings() []string {
	return []string{ANSI, Script, Pipes, Lines, RTL, Mention, Formula, Broken, Wide, CDATA}
}

// Hostile is a run in which every text that data can bring is hostile. Its
// ledger adds up.
func Hostile() *newel.Summary {
	all := strings.Join(HostileStrings(), " ")
	s := Small()
	s.Run, s.Runner = "r$(reboot)'\x1b[2J", ANSI
	s.Labels = map[string]string{Script: Pipes, RTL: Lines}
	s.Suite.Name = Script + Lines
	s.Rubrics[0].Name, s.Rubrics[1].Name = Pipes, Lines+Script
	s.Rubrics[0].Method = RTL
	s.Rubrics[1].Errors = map[string]int{ANSI: 1}
	s.Rubrics[0].Checks = []newel.CheckSummary{{Check: all, Pass: 1, Fail: 2, Undecided: 3, Error: 4}}
	s.Rubrics[1].Values[0].Scorer = Mention
	s.Agreement[0].Rubric = Lines
	s.Agreement = append(s.Agreement, newel.Agreement{Rubric: Pipes, N: 1, Agree: 1,
		Choices: &newel.ChoiceAgreement{Names: []string{ANSI, Pipes}, Table: [][]int{{1, 0}, {0, 0}}, Unparsed: []int{0, 1},
			Counted: newel.ChoiceFigures{N: 2, Agree: 1}, LeftOut: newel.ChoiceFigures{N: 1, Agree: 1}},
		Raters: &newel.RaterAgreement{Cases: 2, Pairs: []newel.RaterPair{{A: RTL, B: Mention, N: 2}}}})
	s.Rubrics[1].Strata = []newel.Stratum{{Layer: Script, Verdict: Lines, Rows: 5, Audit: &newel.Audited{N: 1, State: newel.AuditState(ANSI)}}}
	s.Rubrics[1].Choices = &newel.ChoiceSummary{N: 3, Counts: []newel.ChoiceCount{{Choice: ANSI, N: 1}, {Choice: Lines, N: 2}, {Choice: Pipes}},
		Orders: &newel.OrderSummary{Orders: newel.Orders{Asked: 2, Same: 1, Second: 1}, Consistency: f(0.5)}}
	s.Slices = nil
	for _, h := range HostileStrings() {
		s.Slices = append(s.Slices, newel.Slice{Dims: map[string]string{h: h}, Rubric: h, Ledger: newel.Ledger{Planned: 1, Pass: 1}, Rate: f(1)})
		s.Failing = append(s.Failing, newel.FailingCase{Case: h, Rubric: h, Check: h, Why: all})
	}
	s.Cost.ByModel = map[string]newel.Money{Mention: 1}
	s.Gate.State, s.Gate.Baseline = newel.GateFailed, Lines
	s.Gate.Rules = []newel.GateRule{{Rule: Pipes, Rubric: Script, State: newel.GateFailed, Why: all, Cases: HostileStrings()}}
	s.Quarantine = []newel.QuarantineLine{{ID: RTL, Until: Lines, Why: Script, State: ANSI}}
	s.Warnings = []string{all, Lines}
	s.Digest = Mention
	return s
}
