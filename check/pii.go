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

// piiPatterns are the outlines of what piiFinder then examines.
type piiPatterns struct {
	email, phone, iban, card, ssn, ip *regexp.Regexp
}

var piiPattern = sync.OnceValue(func() piiPatterns {
	return piiPatterns{
		email: regexp.MustCompile(`[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}`),
		phone: regexp.MustCompile(`\+[1-9][\d ().\-/]{6,22}\d|\(?[2-9]\d{2}\)?[ .\-][2-9]\d{2}[ .\-]\d{4}`),
		iban:  regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}`),
		card:  regexp.MustCompile(`\d(?:[ \-]?\d){12,18}`),
		ssn:   regexp.MustCompile(`\d{3}-\d{2}-\d{4}`),
		ip:    regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`),
	}
})

// between returns the matches that do not go on in more digits, letters or
// joining marks on either side, and that pass the test.
func between(re *regexp.Regexp, text, joins string, test func(match string) bool) []string {
	var found []string
	for _, at := range re.FindAllStringIndex(text, -1) {
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
