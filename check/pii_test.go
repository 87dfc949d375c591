package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPIIFindsWhatItShould(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, text string
		want             []string
	}{
		{"an address", "email", "Write to ann.lee+x@mail.example.co.uk.", []string{"ann.lee+x@mail.example.co.uk"}},
		{"an address in other letters", "email", "jürgen@müller.de", []string{"jürgen@müller.de"}},
		{"a handle is no address", "email", "ask @ann or ann@home", nil},
		{"an international number", "phone", "Call +49 (30) 1234-5678!", []string{"+49 (30) 1234-5678"}},
		{"a North American number", "phone", "(212) 555-0123, 212-555-0124, 212.555.0125", []string{"(212) 555-0123", "212-555-0124", "212.555.0125"}},
		{"an order number is no phone", "phone", "Order 2125550123 of 2024-10-11, 3.14159", nil},
		{"a plus before a short number is no phone", "phone", "+1234", nil},
		{"a number in parts of a longer one is no phone", "phone", "1-212-555-0123-9", nil},
		{"an account number", "iban", "Pay to DE89370400440532013000 today", []string{"DE89370400440532013000"}},
		{"an account number in groups", "iban", "GB82 WEST 1234 5698 7654 32 PLEASE", []string{"GB82WEST12345698765432"}},
		{"a wrong check digit", "iban", "DE88370400440532013000", nil},
		{"the end of a longer word", "iban", "xDE89370400440532013000", nil},
		{"an unknown country", "iban", "ZZ89370400440532013000", nil},
		{"a card number", "card", "4111 1111 1111 1111", []string{"4111 1111 1111 1111"}},
		{"a card number with dashes", "card", "card 5500-0000-0000-0004.", []string{"5500-0000-0000-0004"}},
		{"a short card number", "card", "378282246310005", []string{"378282246310005"}},
		{"a wrong last digit", "card", "4111111111111112", nil},
		{"a long number of no issuer", "card", "1234567812345670", nil},
		{"a card number in a longer one", "card", "x4111111111111111", nil},
		{"a social security number", "ssn", "SSN 219-09-9999", []string{"219-09-9999"}},
		{"numbers that were never given out", "ssn", "000-12-3456 666-12-3456 912-12-3456 123-00-3456 123-45-0000", nil},
		{"part of a longer number", "ssn", "1219-09-9999 219-09-99990 219-09-9999-1", nil},
		{"an address of a machine", "ipv4", "from 8.8.8.8:53", []string{"8.8.8.8"}},
		{"private, local and documentation addresses", "ipv4", "10.0.0.1 127.0.0.1 192.168.1.1 203.0.113.9 224.0.0.1 0.0.0.0", nil},
		{"a version", "ipv4", "1.2.3.4.5, 300.1.1.1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, piiFinder(c.kind)(c.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPII(t *testing.T) {
	t.Parallel()
	testRules(t, []rule{
		{"plain text passes", `"pii"`, "Order 17 of 2024-10-11 ships at 12:30.", nil, "pass"},
		{"what is found is masked", `"pii"`, "ann@example.com", nil, "fail: holds what looks like personal data of kind email: a… (15 characters)"},
		{"more than one kind", `{"pii": ["ssn", "email"]}`, "ann@example.com 219-09-9999", nil, "fail: holds what looks like personal data of kind ssn: 2… (11 characters), and more"},
		{"only the kinds given", `{"pii": {"kinds": ["card"]}}`, "ann@example.com", nil, "pass"},
	})
	testMistakes(t, []mistake{
		{"an unknown kind", `{"pii": ["mail"]}`, `pii: kinds has no "mail" (did you mean "email"?); there are email, phone, iban, card, ssn, ipv4`},
		{"a wrong type", `{"pii": {"kinds": {"a": 1}}}`, `pii: kinds is a text or a list of texts, not a map`},
	})
}

func FuzzFindPII(f *testing.F) {
	for _, s := range []string{"ann@example.com", "+49 30 12345678", "GB82 WEST 1234 5698 7654 32", "4111 1111 1111 1111", "219-09-9999", "8.8.8.8", "DE89", "é@é.éé"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range findPII(text, piiNames) {
			if !strings.Contains(l.masked, "… (") {
				t.Fatalf("%q is not masked", l.masked)
			}
		}
	})
}
