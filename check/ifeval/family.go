package ifeval

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

// Family is a kind of instruction in one language.
type Family struct {
	ID       string // as Compile takes it, with its language: "fr:punctuation:no_comma"
	Language string // ISO 639-1
	About    string // what is demanded
	Args     []Arg  // all of them required
	// Approximate names the language tool of the published check that a small one stands in for
	// here; empty where the text alone decides.
	Approximate string
	// Agreement is how often the verdicts are those of the published code on recorded replies.
	Agreement Agreement
}

// Agreement counts equal verdicts.
type Agreement struct {
	Of     int `json:"of"`     // verdicts compared in each mode
	Strict int `json:"strict"` // of them equal by Follow
	Loose  int `json:"loose"`  // of them equal by FollowLoose
}

// agreementJSON is written by this package's test with -update, from the replies in testdata.
//
//go:embed agreement.json
var agreementJSON []byte

// Families lists every family in every language, by language and id.
func Families() []Family {
	measured := map[string]Agreement{}
	if err := json.Unmarshal(agreementJSON, &measured); err != nil {
		panic(fmt.Sprintf("ifeval: the embedded agreement table: %v", err))
	}
	var out []Family
	for _, lang := range []string{"en", "es", "fr", "ja"} {
		for _, f := range families {
			if !f.speaks(lang) {
				continue
			}
			id := lang + ":" + f.id
			out = append(out, Family{
				ID: id, Language: lang, About: f.about, Args: slices.Clone(f.args),
				Approximate: f.stand, Agreement: measured[id],
			})
		}
	}
	return out
}

// family is a kind of instruction in the languages that share its arguments and meaning.
type family struct {
	id        string // without language
	languages []string
	args      []Arg
	about     string
	stand     string // the language tool that is stood in for, or empty
	build     func(values) func(text string) bool
}

func (f family) speaks(lang string) bool { return slices.Contains(f.languages, lang) }

// ids lists every id with its language.
func ids() []string {
	var out []string
	for _, f := range families {
		for _, l := range f.languages {
			out = append(out, l+":"+f.id)
		}
	}
	return out
}
