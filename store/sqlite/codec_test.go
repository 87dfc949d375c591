package sqlite

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newel"
)

func codecOf(t testing.TB) codec {
	t.Helper()
	c, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

// The bytes of a segment are on people's disks: this test fails when they
// change.
func TestASegmentIsWrittenAsDocumented(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	got := c.encodeSegment([]newel.Packed{
		{Offset: 300, Verdict: newel.Fail, Data: []byte("xyz")},
		{Offset: 1, Verdict: newel.Pass},
		{Offset: 2, Verdict: newel.Failed, Data: []byte{0}},
	})
	const want = "01" + "00" + "01" + "01" + "00" + "00" + "04" + "01" + "00" + "a902" + "02" + "03" + "78797a"
	if hex.EncodeToString(got) != want {
		t.Fatalf("got %x, want %s", got, want)
	}
}

func TestWhatIsPackedUnpacksAndIsNeverMuchLonger(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	for _, value := range []string{
		"", "a", strings.Repeat("a", smallest-1), strings.Repeat("a", smallest), strings.Repeat("the parcel ", 100_000),
		string(noise(newRand(), 100_000)), string(noise(newRand(), smallest)),
	} {
		packed := c.pack([]byte(value))
		got, err := c.unpack(packed)
		if err != nil || string(got) != value {
			t.Errorf("%d bytes: %v", len(value), err)
		}
		if len(packed) > len(value)+1 {
			t.Errorf("%d bytes became %d", len(value), len(packed))
		}
	}
}

func TestDamagedValuesAreErrors(t *testing.T) {
	t.Parallel()
	c := codecOf(t)
	good := c.encodeSegment([]newel.Packed{{Offset: 3, Verdict: newel.Pass, Data: bytes.Repeat([]byte("text "), 100)}})
	for name, segment := range map[string][]byte{
		"empty":              {},
		"version alone":      good[:1],
		"unknown version":    append([]byte{9}, good[1:]...),
		"unknown form":       {segmentVersion, 9},
		"cut":                good[:len(good)-3],
		"a byte changed":     append(slices.Clone(good[:len(good)-9]), bytes.Repeat([]byte{0x55}, 9)...),
		"no verdict":         {segmentVersion, plain, 0},
		"no length":          {segmentVersion, plain, 0, 1},
		"length past end":    {segmentVersion, plain, 0, 1, 5, 'x'},
		"offset beyond all":  {segmentVersion, plain, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 0},
		"a number too large": append([]byte{segmentVersion, plain}, bytes.Repeat([]byte{0xff}, 11)...),
	} {
		if _, err := c.decodeSegment(nil, segment); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func FuzzDecodeSegment(f *testing.F) {
	c := codecOf(f)
	f.Add(c.encodeSegment([]newel.Packed{{Offset: 3, Verdict: newel.Pass, Data: []byte("x")}, {Offset: 400, Verdict: newel.Fail}}))
	f.Add(c.encodeSegment([]newel.Packed{{Verdict: newel.Failed, Data: bytes.Repeat([]byte("x"), 500)}}))
	f.Fuzz(func(t *testing.T, segment []byte) {
		records, err := c.decodeSegment(nil, segment)
		if err != nil || len(records) == 0 {
			return
		}
		again, err := c.decodeSegment(nil, c.encodeSegment(slices.Clone(records)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(records, again); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
