package langid

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDetectLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"English", "The committee will meet again on Thursday to discuss what was found.", "en"},
		{"English in capitals", "THE COMMITTEE WILL MEET AGAIN ON THURSDAY TO DISCUSS WHAT WAS FOUND.", "en"},
		{"Spanish", "La comisión se reunirá otra vez el jueves para hablar de lo que se ha encontrado.", "es"},
		{"French", "La commission se réunira de nouveau jeudi pour parler de ce qui a été trouvé.", "fr"},
		{"German", "Der Ausschuss trifft sich am Donnerstag wieder, um über das Gefundene zu sprechen.", "de"},
		{"Italian", "La commissione si riunirà di nuovo giovedì per parlare di quello che è stato trovato.", "it"},
		{"Portuguese", "A comissão vai reunir-se outra vez na quinta-feira para falar do que foi encontrado.", "pt"},
		{"Finnish", "Valiokunta kokoontuu uudelleen torstaina keskustelemaan siitä, mitä löydettiin.", "fi"},
		{"Vietnamese", "Ủy ban sẽ họp lại vào thứ năm để thảo luận về những gì đã được tìm thấy.", "vi"},
		{"Russian", "Комиссия снова соберётся в четверг, чтобы обсудить то, что было найдено.", "ru"},
		{"Bulgarian", "Комисията ще се събере отново в четвъртък, за да обсъди какво е било намерено.", "bg"},
		{"Arabic", "ستجتمع اللجنة مرة أخرى يوم الخميس لمناقشة ما تم العثور عليه.", "ar"},
		{"Persian", "کمیته روز پنجشنبه دوباره تشکیل جلسه می‌دهد تا درباره آنچه پیدا شده است گفتگو کند.", "fa"},
		{"Hindi", "समिति गुरुवार को फिर से मिलेगी ताकि जो मिला है उस पर चर्चा की जा सके।", "hi"},
		{"Thai", "คณะกรรมการจะประชุมอีกครั้งในวันพฤหัสบดี", "th"},
		{"Korean", "위원회는 목요일에 다시 모여 발견된 것을 논의한다.", "ko"},
		{"Chinese", "委员会将于星期四再次开会讨论所发现的问题。", "zh"},
		{"Japanese", "委員会は木曜日に再び集まり、見つかったことについて話し合います。", "ja"},
		{"Japanese dense in Chinese characters", "東京都千代田区霞が関中央省庁庁舎内会議室", "ja"},
		{"Swahili", "Kamati itakutana tena siku ya Alhamisi ili kuzungumza kuhusu mambo ambayo yamepatikana katika mji wake, kwa sababu watu wengi wanauliza.", "sw"},
		{"Filipino has no two-letter code in the library", "Ang mga tawo sa lungsod nagkatigom aron sa paghisgot kon unsa ang nakit-an nila didto sa bukid.", "ceb"},
		{"digits and signs", "2026-10-01: 14 + 3 = 17!", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, confidence := DetectLanguage(c.text)
			if got != c.want {
				t.Errorf("%q with confidence %.2f, want %q", got, confidence, c.want)
			}
			if (got == "") != (confidence == 0) {
				t.Errorf("code %q with confidence %v", got, confidence)
			}
		})
	}
}

func TestAFewWordsAreNotReliable(t *testing.T) {
	t.Parallel()
	if got, confidence := DetectLanguage("shoreline estates"); confidence >= Reliable {
		t.Errorf("%q with confidence %.2f", got, confidence)
	}
}

func TestOnlyTheFirstBytesAreRead(t *testing.T) {
	t.Parallel()
	english := strings.Repeat("This is what the report says about it. ", maxBytes/39)
	if got, _ := DetectLanguage(english + strings.Repeat("Это то, что говорится в отчёте. ", 5000)); got != "en" {
		t.Errorf("got %q", got)
	}
}

func FuzzDetectLanguage(f *testing.F) {
	f.Add("kwa sababu ya watu")
	f.Add("日本\xff")
	f.Add("abc abd")
	f.Fuzz(func(t *testing.T, text string) {
		got, confidence := DetectLanguage(text)
		again, same := DetectLanguage(text)
		if got != again || confidence != same {
			t.Errorf("%q %v, then %q %v", got, confidence, again, same)
		}
		if confidence < 0 || confidence > 1 || !utf8.ValidString(got) {
			t.Errorf("%q %v", got, confidence)
		}
	})
}

func BenchmarkDetectLanguage(b *testing.B) {
	text := strings.Repeat("This is what the report of the committee says about it. ", 36)
	for b.Loop() {
		DetectLanguage(text)
	}
}
