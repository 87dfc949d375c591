package data

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"newel"
)

// leaf writes one value of a column as JSON.
type leaf func(dst []byte, v parquet.Value) ([]byte, error)

// leafOf says how the values of a type are written: numbers with all their
// digits, dates and times as ISO 8601 text, bytes that are no UTF-8 text in
// base64.
func leafOf(t parquet.Type) leaf {
	if lt := t.LogicalType(); lt != nil {
		if l := logicalLeaf(lt.Value, t); l != nil {
			return l
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(dst []byte, v parquet.Value) ([]byte, error) { return strconv.AppendBool(dst, v.Boolean()), nil }
	case parquet.Int32, parquet.Int64:
		return func(dst []byte, v parquet.Value) ([]byte, error) { return strconv.AppendInt(dst, whole(v), 10), nil }
	case parquet.Int96:
		return int96Leaf
	case parquet.Float:
		return func(dst []byte, v parquet.Value) ([]byte, error) { return number(dst, float64(v.Float()), 32) }
	case parquet.Double:
		return func(dst []byte, v parquet.Value) ([]byte, error) { return number(dst, v.Double(), 64) }
	}
	return bytesLeaf
}

func logicalLeaf(kind format.LogicalTypeValue, t parquet.Type) leaf {
	switch kind := kind.(type) {
	case *format.StringType, *format.EnumType:
		return textLeaf
	case *format.JsonType:
		return jsonLeaf
	case *format.UUIDType:
		return uuidLeaf
	case *format.IntType:
		if !kind.IsSigned {
			return unsignedLeaf
		}
	case *format.DecimalType:
		return func(dst []byte, v parquet.Value) ([]byte, error) { return decimal(dst, v, int(kind.Scale)) }
	case *format.DateType:
		return func(dst []byte, v parquet.Value) ([]byte, error) {
			return date(dst, time.Unix(86400*int64(v.Int32()), 0), "2006-01-02")
		}
	case *format.TimestampType:
		return timestampLeaf(kind)
	case *format.TimeType:
		unit := unitOf(kind.Unit)
		return func(dst []byte, v parquet.Value) ([]byte, error) {
			return date(dst, time.Unix(0, 0).Add(time.Duration(whole(v))*unit), "15:04:05.999999999")
		}
	case *format.Float16Type:
		return halfLeaf
	}
	return nil
}

// whole returns a signed integer of either width.
func whole(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

func unsignedLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	if v.Kind() == parquet.Int32 {
		return strconv.AppendUint(dst, uint64(v.Uint32()), 10), nil
	}
	return strconv.AppendUint(dst, v.Uint64(), 10), nil
}

// number writes a floating-point number as JSON does.
func number(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("%v is no number that JSON has: write null", f)
	}
	return jsontext.AppendFloat(dst, f, bits), nil
}

func textLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	dst, err := jsontext.AppendQuote(dst, v.ByteArray())
	if err != nil {
		return dst, fmt.Errorf("the text is not UTF-8")
	}
	return dst, nil
}

func bytesLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	b := v.ByteArray()
	if utf8.Valid(b) {
		return textLeaf(dst, v)
	}
	return jsontext.AppendQuote(dst, base64.StdEncoding.EncodeToString(b))
}

func jsonLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	raw := newel.Raw(v.ByteArray())
	if !raw.IsValid() {
		return dst, fmt.Errorf("the column's type is JSON, but %.40q is not", raw)
	}
	return append(dst, raw...), nil
}

func uuidLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	b := v.ByteArray()
	if len(b) != 16 {
		return dst, fmt.Errorf("a UUID of %d bytes", len(b))
	}
	h := hex.EncodeToString(b)
	return fmt.Appendf(dst, `"%s-%s-%s-%s-%s"`, h[:8], h[8:12], h[12:16], h[16:20], h[20:]), nil
}

// decimal writes an exact decimal: an integer of 10^-scale, as a number or as
// big-endian bytes in two's complement.
func decimal(dst []byte, v parquet.Value, scale int) ([]byte, error) {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		n.SetInt64(whole(v))
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	if scale < 0 || scale > 1000 {
		return dst, fmt.Errorf("a decimal of scale %d", scale)
	}
	text := new(big.Int).Abs(n).String()
	for len(text) <= scale {
		text = "0" + text
	}
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	dst = append(dst, text[:len(text)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), text[len(text)-scale:]...)
	}
	return dst, nil
}

func unitOf(u format.TimeUnit) time.Duration {
	if u.Value == nil {
		return time.Nanosecond
	}
	return u.Value.Duration()
}

// timestampLeaf writes an instant in UTC, or without a zone where the file
// says that it is local time.
func timestampLeaf(kind *format.TimestampType) leaf {
	layout := "2006-01-02T15:04:05.999999999"
	if kind.IsAdjustedToUTC {
		layout += "Z"
	}
	unit := int64(unitOf(kind.Unit))
	perSecond := int64(time.Second) / unit
	return func(dst []byte, v parquet.Value) ([]byte, error) {
		n := v.Int64()
		return date(dst, time.Unix(n/perSecond, n%perSecond*unit), layout)
	}
}

// int96Leaf writes an instant of older writers: nanoseconds of the day, then
// the Julian day.
func int96Leaf(dst []byte, v parquet.Value) ([]byte, error) {
	i := v.Int96()
	const julianEpoch = 2440588
	days := int64(i[2]) - julianEpoch
	nanos := int64(uint64(i[1])<<32 | uint64(i[0]))
	return date(dst, time.Unix(86400*days, nanos), "2006-01-02T15:04:05.999999999")
}

func date(dst []byte, t time.Time, layout string) ([]byte, error) {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return dst, fmt.Errorf("the date is out of range: year %d", y)
	}
	dst = append(dst, '"')
	return append(t.AppendFormat(dst, layout), '"'), nil
}

// halfLeaf writes a 16-bit floating-point number (IEEE 754 binary16).
func halfLeaf(dst []byte, v parquet.Value) ([]byte, error) {
	b := v.ByteArray()
	if len(b) != 2 {
		return dst, fmt.Errorf("a 16-bit number of %d bytes", len(b))
	}
	bits := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 0x1f:
		f = math.Inf(1)
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits&0x8000 != 0 {
		f = -f
	}
	return number(dst, f, 32)
}
