package check

import (
	"net/netip"
	"strings"
)

func findEmails(text string) []string {
	var found []string
	for _, at := range piiOutline().email.find(text) {
		found = append(found, text[at[0]:at[1]])
	}
	return found
}

// findPhones finds international numbers of 8 to 15 digits and North American
// ones.
func findPhones(text string) []string {
	return piiOutline().phone.between(text, ".-", func(match string) bool {
		n := len(digitsOf(match))
		return n >= 8 && n <= 15
	})
}

// findCards finds numbers that an issuer could have given out and whose last
// digit is right.
func findCards(text string) []string {
	return piiOutline().card.between(text, "-.", func(match string) bool {
		digits := digitsOf(match)
		return issued(digits) && luhn(digits)
	})
}

// issued reports whether a card network gives out numbers like this one.
func issued(digits string) bool {
	n := len(digits)
	prefix := func(from, to string) bool { return digits[:len(from)] >= from && digits[:len(to)] <= to }
	switch {
	case prefix("4", "4"):
		return n == 13 || n == 16 || n == 19
	case prefix("51", "55"), prefix("2221", "2720"):
		return n == 16
	case prefix("34", "34"), prefix("37", "37"):
		return n == 15
	case prefix("300", "305"), prefix("36", "36"), prefix("38", "39"):
		return n >= 14
	case prefix("3528", "3589"), prefix("6011", "6011"), prefix("62", "62"), prefix("644", "659"):
		return n >= 16
	case prefix("50", "50"), prefix("56", "58"), prefix("63", "63"), prefix("67", "67"):
		return true
	}
	return false
}

// luhn checks the last digit (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// findSSNs finds US social security numbers that can have been given out.
func findSSNs(text string) []string {
	return piiOutline().ssn.between(text, "-", func(m string) bool {
		return m[:3] != "000" && m[:3] != "666" && m[0] != '9' && m[4:6] != "00" && m[7:] != "0000"
	})
}

// findIPs finds addresses of machines that anyone can reach: no private,
// local or documentation ones.
func findIPs(text string) []string {
	return piiOutline().ip.between(text, ".", func(match string) bool {
		a, err := netip.ParseAddr(match)
		return err == nil && a.IsGlobalUnicast() && !a.IsPrivate() && !reserved(a)
	})
}

func reserved(a netip.Addr) bool {
	for _, block := range [...]string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"} {
		if netip.MustParsePrefix(block).Contains(a) {
			return true
		}
	}
	return false
}

// ibanLengths are the lengths of the account numbers of each country (ISO
// 13616, from the SWIFT registry).
const ibanLengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
	"ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 " +
	"LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 " +
	"SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"

func ibanLength(country string) int {
	i := strings.Index(ibanLengths, country)
	if i < 0 {
		return 0
	}
	return int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0')
}

// findIBANs finds account numbers whose length and check digits are right. A
// match may have run on into the words behind it: what counts is its first
// letters and digits, as many as the country's numbers have.
func findIBANs(text string) []string {
	var found []string
	for _, at := range piiOutline().iban.find(text) {
		compact := strings.ReplaceAll(text[at[0]:at[1]], " ", "")
		n := ibanLength(compact[:2])
		if n > 0 && !joined(text, at[0], len(text), "") && len(compact) >= n && ibanHolds(compact[:n]) {
			found = append(found, compact[:n])
		}
	}
	return found
}

// ibanHolds checks the remainder by 97 (ISO 13616, ISO/IEC 7064).
func ibanHolds(iban string) bool {
	rest := 0
	for _, c := range iban[4:] + iban[:4] {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}

func digitsOf(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c >= '0' && c <= '9' {
			b.WriteRune(c)
		}
	}
	return b.String()
}
