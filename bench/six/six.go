// Package six makes the synthetic suite that speed is measured on: cases whose
// outputs are JSON of about 384 characters, six checks on each, and three in a
// hundred that fail in a known way. A case is a function of the seed and its
// number, so every size begins with the same cases.
//
// What runs the suite, and how long that takes, is the business of bench.
package six

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Case is one line of the data file.
type Case struct {
	ID       string `json:"id"`
	Output   string `json:"output"`
	Expected string `json:"expected"`
	Must     string `json:"must"`
	Pattern  string `json:"pattern"`
}

// answer is what a case's output holds, as JSON.
type answer struct {
	ID         string  `json:"id"`
	Label      string  `json:"label"`
	Confidence float64 `json:"confidence"`
	Summary    string  `json:"summary"`
}

// summarySize is the length of a summary without its reference; it makes an
// output of about 384 characters.
const summarySize = 309

const pattern = `"id":"case-[0-9]{6,7}"`

// refusal is what a case says that gives no answer.
const refusal = "Sorry, there is nothing that I can say about that."

// At returns case i of a seed. Of each hundred, one has lost the last character
// of its summary, one has a label that does not exist and one is no JSON; the
// other 97 pass.
func At(seed uint64, i int) Case {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	a := answer{ID: fmt.Sprintf("case-%06d", i), Label: pick(r, labels), Confidence: float64(r.IntN(1000)) / 1000}
	reference := fmt.Sprintf("ref%04d", r.IntN(10000))
	a.Summary = prose(r) + " " + reference
	good := a.text()
	c := Case{ID: a.ID, Output: good, Expected: good, Must: reference, Pattern: pattern}
	switch i % 100 {
	case 7: // equals and contains fail, the distance is 1
		a.Summary = a.Summary[:len(a.Summary)-1]
		c.Output = a.text()
	case 31: // the schema alone fails
		a.Label = "unheard-of"
		c.Output = a.text()
		c.Expected = c.Output
	case 63: // all six fail
		c.Output = refusal
	}
	return c
}

// Passing returns how many of the first n cases pass.
func Passing(n int) int {
	fails := 0
	for _, at := range []int{7, 31, 63} {
		fails += (n + 99 - at) / 100
	}
	return n - fails
}

func (a answer) text() string {
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings and a finite number
	}
	return string(b)
}

func prose(r *rand.Rand) string {
	var b strings.Builder
	for b.Len() < summarySize {
		b.WriteString(pick(r, words))
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String()[:summarySize])
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

var labels = []string{"account", "billing", "delivery", "returns"}

var words = strings.Fields(`parcel depot van driver doorstep bell window evening
morning slot late early lost found broken sealed opened refund invoice receipt
voucher balance card charge fee tax account password login mail phone chat form
clerk team shift note photo label weight size box shelf scan route town street`)
