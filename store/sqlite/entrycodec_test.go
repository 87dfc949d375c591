package sqlite

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"newel"
)

// The bytes of an entry are on people's disks: this test fails when they
// change, or when the dictionary does.
func TestAnEntryIsWrittenAsDocumented(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	short := c.packEntry(newel.Entry{Reply: []byte("abc"), Call: []byte("{}")})
	if got, want := hex.EncodeToString(short), "00"+"03"+"616263"+"7b7d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	const written = "02e9e9a669b20104217b9d202e00040c706173730100007d35126ea102112415005418707473223a312c"
	data, err := hex.DecodeString(written)
	if err != nil {
		t.Fatal(err)
	}
	var e newel.Entry
	want := newel.Entry{Reply: []byte(`{"text":"{\"verdict\":\"pass\"}"}`), Call: []byte(strings.Repeat(`"gateway_cache":"miss","attempts":1,`, 4))}
	if err := c.unpackEntry(&e, data); err != nil || string(e.Reply) != string(want.Reply) || string(e.Call) != string(want.Call) {
		t.Errorf("%q, %q, %v", e.Reply, e.Call, err)
	}
}

func TestEntriesUnpackAndAreNeverMuchLonger(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	r := newRand()
	for _, n := range []int{0, 1, smallest - 1, smallest, 1000, shortBody - 2, shortBody, shortBody + 1, 1 << 20} {
		for name, text := range map[string][]byte{"noise": noise(r, n), "text": []byte(strings.Repeat(entryDictionary, n/len(entryDictionary)+1)[:n])} {
			want := newel.Entry{Reply: text[:n/3], Call: text[n/3:]}
			data := c.packEntry(want)
			var got newel.Entry
			if err := c.unpackEntry(&got, data); err != nil || !bytes.Equal(got.Reply, want.Reply) || !bytes.Equal(got.Call, want.Call) {
				t.Errorf("%d bytes of %s: %v", n, name, err)
			}
			if len(data) > n+6 || name == "text" && n >= 1000 && len(data) > n/2 {
				t.Errorf("%d bytes of %s became %d", n, name, len(data))
			}
		}
	}
}

func TestADamagedEntryIsAnError(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	fine := c.packEntry(newel.Entry{Reply: []byte(entryDictionary[:300]), Call: []byte(entryDictionary[700:900])})
	if fine[0] != described {
		t.Fatal("it is written in another form")
	}
	for i := range fine {
		data := bytes.Clone(fine)
		data[i] ^= 0x15
		if err := c.unpackEntry(new(newel.Entry), data); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: error %v", i, err)
		}
		if err := c.unpackEntry(new(newel.Entry), fine[:i]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut after %d bytes: error %v", i, err)
		}
	}
	for name, data := range map[string][]byte{
		"shorter than its reply": {plain, 2, 'x'},
		"no body":                {plain},
		"a length without end":   {plain, 0x80},
		"very long":              {described, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f},
	} {
		if err := c.unpackEntry(new(newel.Entry), data); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func FuzzUnpackEntry(f *testing.F) {
	c := codecOf(f)
	for _, n := range []int{0, 100, 500, 3000} {
		f.Add(c.packEntry(newel.Entry{Reply: []byte(entryDictionary[:n/2]), Call: noise(newRand(), n/2)}))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var e, again newel.Entry
		if err := c.unpackEntry(&e, data); err != nil {
			return
		}
		err := c.unpackEntry(&again, c.packEntry(e))
		if err != nil || !bytes.Equal(e.Reply, again.Reply) || !bytes.Equal(e.Call, again.Call) {
			t.Fatalf("%q, %q, %v", again.Reply, again.Call, err)
		}
	})
}
