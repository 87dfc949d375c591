package ifeval

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type args = map[string]any

// examples has at least one text that follows and one that does not for every meaning of a family.
var examples = []struct {
	name    string
	id      string
	args    args
	follows []string
	fails   []string
}{
	{"an id without language is English", "punctuation:no_comma", nil, []string{"No pause."}, []string{"Yes, one."}},
	{"keywords in any case, parts of words too", "en:keywords:existence", args{"keywords": []any{"Mom", "eat"}},
		[]string{"MOMENTS of heat"}, []string{"mom only"}},
	{"a dot in a keyword is a dot", "en:keywords:existence", args{"keywords": []string{"a.b"}}, []string{"A.B"}, []string{"axb"}},
	{"a forbidden word counts as a whole word", "en:keywords:forbidden_words", args{"forbidden_words": []any{"rock", "été"}},
		[]string{"Rocket étés"}, []string{"a ROCK!", "l'été"}},
	{"a forbidden word after a part of another", "en:keywords:forbidden_words", args{"forbidden_words": []any{"aa"}},
		[]string{"aaa"}, []string{"aaa aa"}},
	{"less than excludes the number", "en:keywords:frequency", args{"keyword": "a", "frequency": 2, "relation": "less than"},
		[]string{"a"}, []string{"a a"}},
	{"como máximo includes the number", "es:keywords:frequency", args{"keyword": "a", "frequency": 2, "relation": "como máximo"},
		[]string{"a a"}, []string{"a a a"}},
	{"a letter in either case", "en:keywords:letter_frequency", args{"letter": "Q", "let_frequency": 2, "let_relation": "at least"},
		[]string{"Qq"}, []string{"q"}},
	{"a kana in either syllabary", "ja:keywords:letter_frequency", args{"letter": "る", "let_frequency": 2, "let_relation": "以上"},
		[]string{"るル"}, []string{"る"}},
	{"words are runs of letters, numbers and underscores", "en:length_constraints:number_words",
		args{"num_words": 4.0, "relation": "at least"}, []string{"it's 3_a day"}, []string{"one-two, three."}},
	{"numbers are no words in Spanish", "es:length_constraints:number_words", args{"num_words": 2, "relation": "al menos"},
		[]string{"1. dos tres"}, []string{"1. dos 3"}},
	{"paragraphs between three asterisks", "en:length_constraints:number_paragraphs", args{"num_paragraphs": 2},
		[]string{"a\n***\nb", "***\na *** b ***"}, []string{"a", "a *** *** b"}},
	{"the first word of a paragraph without its marks", "en:length_constraints:nth_paragraph_first_word",
		args{"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Yes"},
		[]string{"No.\n\n\"yes, really\""}, []string{"Yes.\n\nNo.", "No.\n\nYes.\n\nNo.", "yes"}},
	{"a paragraph that begins with a phrase", "es:length_constraints:nth_paragraph_first_word",
		args{"num_paragraphs": 1, "nth_paragraph": 1, "first_word": "En mi opinión"}, []string{"En mi opinión, sí."}, []string{"Opino que sí."}},
	{"sentences with abbreviations, initials and list numbers", "en:length_constraints:number_sentences",
		args{"num_sentences": 4, "relation": "less than"},
		[]string{"Dr. Smith met J. Doe at 3 p.m. yesterday. It rained?! Yes.", "1. One. End"}, []string{"1. One. 2. Two."}},
	{"sentences do not count list numbers in Spanish", "es:length_constraints:number_sentences",
		args{"num_sentences": 2, "relation": "como máximo"}, []string{"1. Uno. 2. Dos."}, []string{"Uno. Dos. Tres."}},
	{"sentences end at Japanese marks and line ends", "ja:length_constraints:number_sentences",
		args{"num_sentences": 3, "relation": "以上"}, []string{"一。二！\n三"}, []string{"一。二"}},
	{"placeholders within one line", "en:detectable_content:number_placeholders", args{"num_placeholders": 2},
		[]string{"[a] [[b]"}, []string{"[a] [b\n]"}},
	{"placeholders with a relation in Spanish", "es:detectable_content:number_placeholders",
		args{"num_placeholders": 1, "relation": "como máximo"}, []string{"[a]"}, []string{"[a] [b]"}},
	{"a postscript may be spaced", "en:detectable_content:postscript", args{"postscript_marker": "P.S."},
		[]string{"p. s. bye"}, []string{"ps bye"}},
	{"a doubled postscript", "en:detectable_content:postscript", args{"postscript_marker": "P.P.S"}, []string{"P. P. S bye"}, []string{"P.S. bye"}},
	{"any other marker as it is", "fr:detectable_content:postscript", args{"postscript_marker": "P.-S."}, []string{"p.-s. adieu"}, []string{"PS adieu"}},
	{"exactly so many bullets", "en:detectable_format:number_bullet_lists", args{"num_bullets": 2},
		[]string{"* a\n- b", "* a\n**b**\n - c"}, []string{"* a", "* a\n* b\n* c"}},
	{"Japanese bullets", "ja:detectable_format:number_bullet_lists", args{"num_bullets": 1}, []string{"・一"}, []string{"- 一"}},
	{"one of the fixed answers", "fr:detectable_format:constrained_response", nil, []string{"Peut-être."}, []string{"Sans doute."}},
	{"emphasis that is not empty", "en:detectable_format:number_highlighted_sections", args{"num_highlights": 2},
		[]string{"*a* *b*", "**a** **b**"}, []string{"*a* * *", "*a\nb* c"}},
	{"numbered sections", "en:detectable_format:multiple_sections", args{"section_spliter": "Section (A)", "num_sections": 2},
		[]string{"Section (A) 1\nx\nSection (A)2\ny"}, []string{"Section (A) 1\nSection (A) two"}},
	{"Japanese chapters", "ja:detectable_format:multiple_sections", args{"section_spliter": "章", "num_sections": 2},
		[]string{"第1章 第二章"}, []string{"第1章 2章"}},
	{"a title that is not empty", "en:detectable_format:title", nil, []string{"<<a>>"}, []string{"<< >>", "<<a\n>>", "<a>"}},
	{"a French title", "fr:detectable_format:title", nil, []string{"##a##"}, []string{"<<a>>"}},
	{"JSON in a fence or bare", "en:detectable_format:json_format", nil,
		[]string{"```json\n{\"a\": 1}\n```", " [1] "}, []string{"Here: {}", "{'a': 1}", "{} {}"}},
	{"exactly so many numbered items", "ja:detectable_format:number_numbered_lists", args{"num_items": 2}, []string{"1. 一\n2. 二"}, []string{"1. 一"}},
	{"Japanese highlights", "ja:detectable_format:number_highlighted_sections", args{"num_highlights": 1}, []string{"《一》"}, []string{"《 》*一*"}},
	{"nouns at the end", "ja:detectable_format:nominal_ending", args{"count": 2}, []string{"古都。街です。旅"}, []string{"古都。街です。"}},
	{"quotes around everything", "en:startend:quotation", nil, []string{` "a" `}, []string{`"`, `"a`, `a "b"`}},
	{"guillemets in French only", "fr:startend:quotation", nil, []string{"« a »", `"a"`}, []string{"« a"}},
	{"corner brackets", "ja:startend:quotation", nil, []string{"「一」"}, []string{`"一"`}},
	{"the last words in any case", "en:startend:end_checker", args{"end_phrase": "Bye now."}, []string{`"Well. BYE NOW."`}, []string{"Bye now. Really."}},
	{"a full stop after the Spanish last words", "es:startend:end_checker", args{"end_phrase": "Un saludo"}, []string{"Un saludo."}, []string{"Un saludo a todos."}},
	{"every sentence with one ending", "ja:startend:sentence_unified_end", args{"ending": "です"}, []string{"雨です。雪です！"}, []string{"雨です。雪だ。"}},
	{"the request first", "en:combination:repeat_prompt", args{"prompt_to_repeat": "Say hi. "}, []string{"say HI.\nHi."}, []string{"Hi. Say hi."}},
	{"two different answers", "en:combination:two_responses", nil, []string{"a ****** b"}, []string{"a ****** a", "a", "a******b******c"}},
	{"capitals, in no other language for sure", "en:change_case:english_capital", nil,
		[]string{"ALL OF THIS IS LOUD 24/7!"}, []string{"All OF IT", "DIESER SATZ IST WIRKLICH VOLLSTÄNDIG AUF DEUTSCH GESCHRIEBEN UND NICHT ANDERS", "123"}},
	{"small letters", "fr:change_case:french_lowercase", nil, []string{"tout est calme dans la petite maison."}, []string{"Tout est calme."}},
	{"words in capitals", "en:change_case:capital_word_frequency", args{"capital_frequency": 3, "capital_relation": "at least"},
		[]string{"NASA/ESA and U.S. (UN)", "DON'T I"}, []string{"NASA and Esa"}},
	{"the language of the reply", "en:language:response_language", args{"language": "sw"},
		[]string{"Habari za asubuhi, watu wote wako katika mji huu kwa sababu ya kazi yake.", "12"}, []string{"This is written in English, as anyone can see."}},
	{"tu somewhere", "fr:detectable_content:informal_address", nil, []string{"Je t'écris, vous savez."}, []string{"Vous savez tout."}},
	{"no digits", "fr:detectable_content:no_digits", nil, []string{"dix"}, []string{"10"}},
	{"no diacritics at all", "fr:special_character:no_accents", nil, []string{"Un cafe"}, []string{"façade", "cafe\u0301"}},
	{"accents restored", "fr:special_character:accents", args{"word_to_accentuate": args{"ecole": "école"}}, []string{"L'école."}, []string{"L'Ecole."}},
	{"a forbidden letter in either case", "fr:special_character:ethel_or_cedilla", args{"forbidden_char": "œ"}, []string{"coeur"}, []string{"Œuvre"}},
	{"exactly so many words with ñ", "es:special_character:enie", args{"let_frequency": 2}, []string{"año ÑAÑA"}, []string{"año"}},
	{"words with an acute accent", "es:special_character:tildes", args{"num_words": 2, "relation": "al menos"}, []string{"está aquí"}, []string{"éá ñ ü"}},
	{"a Spanish question with both marks", "es:punctuation:question_marks", nil, []string{"¿Sí?"}, []string{"Sí?"}},
	{"readings after kanji", "ja:letters:furigana", nil, []string{"水（みず）です"}, []string{"水（みず）と火"}},
	{"hiragana only", "ja:letters:hiragana_only", nil, []string{"みず、1"}, []string{"ミズ", "水", "mizu"}},
	{"katakana only", "ja:letters:katakana_only", nil, []string{"ミズー！"}, []string{"みず", "AI"}},
	{"so many kanji", "ja:letters:kanji", args{"kanji_limit": 2, "relation": "未満"}, []string{"水です"}, []string{"火と水"}},
	{"characters, spaces included", "ja:length_constraints:number_letters", args{"num_letters": 3, "relation": "以上"}, []string{"火 水"}, []string{"火水"}},
}

func TestInstructions(t *testing.T) {
	t.Parallel()
	for _, ex := range examples {
		t.Run(ex.name, func(t *testing.T) {
			t.Parallel()
			in, err := Compile(ex.id, ex.args)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range ex.follows {
				if !in.Follow(text) {
					t.Errorf("%q does not follow", text)
				}
			}
			for _, text := range append(ex.fails, "", " \n\u3000") {
				if in.Follow(text) {
					t.Errorf("%q follows", text)
				}
			}
		})
	}
}

func TestLooseForgivesOneLineOnEitherSideAndAsterisks(t *testing.T) {
	t.Parallel()
	in, err := Compile("en:detectable_format:json_format", nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"{}":                          true,
		"Sure, here it is:\n{}":       true,
		"{}\nAnything else?":          true,
		"Sure:\n{}\nAnything else?":   true,
		"**{}**":                      true,
		"Sure:\n**{}**\nOK?":          true,
		"Sure:\nIndeed:\n{}":          false,
		"Sure: {}":                    false,
		"":                            false,
		"only a line that goes away ": false,
	} {
		if got := in.FollowLoose(text); got != want {
			t.Errorf("FollowLoose(%q) = %v", text, got)
		}
	}
}

func TestTheZeroInstructionFollowsNothing(t *testing.T) {
	t.Parallel()
	if in := (Instruction{}); in.Follow("a") || in.FollowLoose("a") {
		t.Error("it follows")
	}
}

func TestCompileSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, id string
		args     args
		want     string
	}{
		{"a mistyped id", "en:punctuation:no_coma", nil, `unknown instruction "en:punctuation:no_coma" (did you mean "en:punctuation:no_comma"?)`},
		{"a mistyped id without language", "punctuation:no_coma", nil, `unknown instruction "punctuation:no_coma" (did you mean "en:punctuation:no_comma"?)`},
		{"an unknown language", "xx:keywords", nil, `unknown instruction "xx:keywords"`},
		{"a family of another language", "en:letters:kanji", nil, `unknown instruction "en:letters:kanji" (did you mean "ja:letters:kanji"?)`},
		{"a missing argument", "en:keywords:existence", nil, `instruction "en:keywords:existence": missing argument "keywords" (texts)`},
		{"a mistyped argument", "en:startend:end_checker", args{"end_phrase": "a", "end_phrases": "b"},
			`instruction "en:startend:end_checker": unknown argument "end_phrases" (did you mean "end_phrase"?)`},
		{"an argument where none is taken", "en:startend:quotation", args{"x": 1}, `instruction "en:startend:quotation": unknown argument "x" (it takes none)`},
		{"several mistakes at once", "en:length_constraints:number_words", args{"num_words": 1.5, "relation": "al menos", "z": true},
			"instruction \"en:length_constraints:number_words\": argument \"num_words\": want a whole number from 0 to 1000000000, got 1.5\n" +
				"argument \"relation\": want \"at least\" or \"less than\", got \"al menos\"\nunknown argument \"z\" (it takes num_words, relation)"},
		{"a blank text", "en:startend:end_checker", args{"end_phrase": " "}, `instruction "en:startend:end_checker": argument "end_phrase": want text, got " "`},
		{"a text that is not UTF-8", "en:detectable_format:multiple_sections", args{"section_spliter": "\xff", "num_sections": 1},
			`instruction "en:detectable_format:multiple_sections": argument "section_spliter": want text, got "\xff"`},
		{"a list with a number", "en:keywords:existence", args{"keywords": []any{"a", 1}},
			`instruction "en:keywords:existence": argument "keywords": want a list of texts, got []interface {}{"a", 1}`},
		{"two letters", "en:keywords:letter_frequency", args{"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
			`instruction "en:keywords:letter_frequency": argument "letter": want one character, got "ab"`},
		{"a negative number", "en:length_constraints:number_paragraphs", args{"num_paragraphs": -1},
			`instruction "en:length_constraints:number_paragraphs": argument "num_paragraphs": want a whole number from 0 to 1000000000, got -1`},
		{"an empty map", "fr:special_character:accents", args{"word_to_accentuate": args{}},
			`instruction "fr:special_character:accents": argument "word_to_accentuate": want a map of texts, got map[string]interface {}{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Compile(c.id, c.args)
			if err == nil {
				t.Fatal("it compiles")
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("error (-want +got):\n%s", d)
			}
		})
	}
}

func TestArgumentsOfEveryNumberTypeAndNullOnes(t *testing.T) {
	t.Parallel()
	for _, n := range []any{3, int32(3), int64(3), uint64(3), 3.0, json.Number("3")} {
		in, err := Compile("length_constraints:number_paragraphs", args{"num_paragraphs": n, "num_words": nil, "relation": nil})
		if err != nil {
			t.Errorf("%T: %v", n, err)
		}
		if !in.Follow("a***b***c") || in.Follow("a") {
			t.Errorf("%T does not mean 3", n)
		}
	}
}

func TestEveryFamilyIsDescribedAndMeasured(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range Families() {
		if f.About == "" || f.Language+":" != f.ID[:3] || f.Agreement.Of == 0 || seen[f.ID] {
			t.Errorf("%+v is incomplete or stands twice", f)
		}
		seen[f.ID] = true
	}
	if len(seen) != 118 {
		t.Errorf("%d families", len(seen))
	}
}
