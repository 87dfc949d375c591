package check

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"newel"
)

var piiNames = []string{"email", "phone", "iban", "card", "ssn", "ipv4"}

// piiSpec looks for personal data.
func piiSpec() *Spec {
	return &Spec{
		Name: "pii", Family: "regex", Main: "kinds",
		About:       "The text holds no personal data of the kinds given: email addresses, phone numbers (international with +, and North American), IBANs (length and check digits hold), payment card numbers (issuer, length and Luhn digit hold), US social security numbers, public IPv4 addresses. What is found is never shown, only its kind, its first character and its length.",
		Source:      "ISO 13616 (IBAN), ISO/IEC 7812 (cards), E.164 (phones)",
		Params:      []Param{{Name: "kinds", Type: "list of " + strings.Join(piiNames, ", "), About: "what to look for", Default: "all"}},
		Extra:       readingParams,
		Approximate: "Names and postal addresses are not looked for, nor national phone numbers outside North America.",
		Example:     "pii: [email, iban, card]",
		Build: func(a *Args) Func {
			kinds, reading := chosen(a, "kinds", piiNames), ReadingOf(a)
			return func(_ context.Context, s *newel.Subject) newel.Score {
				text, err := boundedText(reading, s)
				if err != nil {
					return Because(err)
				}
				wanted, err := kinds.At(s)
				if err != nil {
					return Because(err)
				}
				return leaks("personal data", findPII(text, wanted))
			}
		},
	}
}

func findPII(text string, kinds []string) []leak {
	if !strings.ContainsAny(text, "@0123456789") {
		return nil
	}
	var found []leak
	for _, kind := range kinds {
		for _, match := range piiFinder(kind)(text) {
			found = append(found, leak{kind, masked(match, 1)})
			if len(found) >= maxLeaks {
				return found
			}
		}
	}
	return found
}

func piiFinder(kind string) func(text string) []string {
	switch kind {
	case "email":
		return findEmails
	case "phone":
		return findPhones
	case "iban":
		return findIBANs
	case "card":
		return findCards
	case "ssn":
		return findSSNs
	}
	return findIPs
}

// outline is a pattern with what its matches are made of, so that only the few
// stretches of a text that can hold one are searched: a regular expression
// over every text costs a hundred times as much.
type outline struct {
	pattern *regexp.Regexp
	made    [256]bool // bytes that a match is made of
	counted [256]bool // bytes of which a match has at least least
	least   int
}

func newOutline(pattern, made, counted string, least int) *outline {
	o := &outline{pattern: regexp.MustCompile(pattern), least: least}
	for _, b := range []byte(made) {
		o.made[b] = true
	}
	for _, b := range []byte(counted) {
		o.made[b], o.counted[b] = true, true
	}
	return o
}

const (
	digits   = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls   = "abcdefghijklmnopqrstuvwxyz"
)

type piiOutlines struct {
	email, phone, iban, card, ssn, ip *outline
}

// piiOutline compiles the outlines when they are first needed.
var piiOutline = sync.OnceValue(func() piiOutlines {
	email := newOutline(`[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}`, digits+capitals+smalls+"._%+-", "@", 1)
	for b := 0x80; b < 0x100; b++ {
		email.made[b] = true
	}
	return piiOutlines{
		email: email,
		phone: newOutline(`\+[1-9][\d ().\-/]{6,22}\d|\(?[2-9]\d{2}\)?[ .\-][2-9]\d{2}[ .\-]\d{4}`, " ().-/+", digits, 8),
		iban:  newOutline(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}`, " ", capitals+digits, 15),
		card:  newOutline(`\d(?:[ \-]?\d){12,18}`, " -", digits, 13),
		ssn:   newOutline(`\d{3}-\d{2}-\d{4}`, "-", digits, 9),
		ip:    newOutline(`\d{1,3}(?:\.\d{1,3}){3}`, ".", digits, 4),
	}
})

// find returns where the pattern matches, stretch by stretch.
func (o *outline) find(text string) [][2]int {
	var found [][2]int
	for i := 0; i < len(text); i++ {
		if !o.made[text[i]] {
			continue
		}
		from, count := i, 0
		for ; i < len(text) && o.made[text[i]]; i++ {
			if o.counted[text[i]] {
				count++
			}
		}
		if count < o.least {
			continue
		}
		for _, at := range o.pattern.FindAllStringIndex(text[from:i], -1) {
			found = append(found, [2]int{from + at[0], from + at[1]})
		}
	}
	return found
}

// between returns the matches that do not go on in more digits, letters or
// joining marks on either side, and that pass the test.
func (o *outline) between(text, joins string, test func(match string) bool) []string {
	var found []string
	for _, at := range o.find(text) {
		match := text[at[0]:at[1]]
		if !joined(text, at[0], at[1], joins) && test(match) {
			found = append(found, match)
		}
	}
	return found
}

// joined reports whether the text between two places is part of a longer word
// or number: a digit or letter stands next to it, or one of the marks in joins
// with a digit behind.
func joined(text string, from, to int, joins string) bool {
	wordy := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 'a' && text[i] <= 'z')
	}
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	mark := func(i int) bool { return i >= 0 && i < len(text) && strings.IndexByte(joins, text[i]) >= 0 }
	return wordy(from-1) || wordy(to) || mark(from-1) && digit(from-2) || mark(to) && digit(to+1)
}
