package judge

import (
	"fmt"
	"path"
	"strings"

	"newel"
	"newel/gateway"
)

// MaxMedia is how large a file that goes along may be.
const MaxMedia = 20 << 20

// mediaTypes are the files that chat models take, by how they are sent. Sound
// and documents go as content alone: there is no common way to send their URL.
var mediaTypes = map[string]struct{ byURL bool }{
	"image/png": {true}, "image/jpeg": {true}, "image/webp": {true}, "image/gif": {true},
	"audio/wav": {}, "audio/mpeg": {},
	"application/pdf": {},
}

// otherNames are further names of these types.
var otherNames = map[string]string{"image/jpg": "image/jpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/mp3": "audio/mpeg"}

// endings are the types of files that do not say theirs.
var endings = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif",
	".wav": "audio/wav", ".mp3": "audio/mpeg", ".pdf": "application/pdf"}

// mediaType returns the type of a case's file, "" where it is unknown.
func mediaType(m newel.Media) string {
	t, _, _ := strings.Cut(strings.ToLower(m.Type), ";")
	t = strings.TrimSpace(t)
	if other, ok := otherNames[t]; ok {
		return other
	}
	if t != "" {
		return t
	}
	name := m.Path
	if name == "" {
		name, _, _ = strings.Cut(m.URL, "?")
	}
	return endings[strings.ToLower(path.Ext(name))]
}

// files returns the case's files as parts of the message.
func (j *Judge) files(s *newel.Subject) ([]gateway.Part, error) {
	if len(s.Case.Media) == 0 {
		return nil, &newel.MissingError{Path: "media"}
	}
	parts := make([]gateway.Part, len(s.Case.Media))
	for i, m := range s.Case.Media {
		one, err := j.file(m)
		if err != nil {
			return nil, &wrongCase{newel.KindCase, fmt.Sprintf("media %d: %v", i, err)}
		}
		parts[i] = gateway.Part{Media: one}
	}
	return parts, nil
}

func (j *Judge) file(m newel.Media) (*gateway.Media, error) {
	out := &gateway.Media{Type: mediaType(m), URL: m.URL, Name: path.Base(m.Path)}
	kind, known := mediaTypes[out.Type]
	switch {
	case out.Type == "":
		return nil, fmt.Errorf("%s does not say what it is: give it a type, such as image/png", m.Path+m.URL)
	case !known:
		return nil, fmt.Errorf("%s cannot be sent to a judge; png, jpeg, webp and gif pictures, wav and mp3 sound and pdf documents can", out.Type)
	case m.Path == "" && !kind.byURL:
		return nil, fmt.Errorf("%s is sent as content: give a path in place of a url", out.Type)
	case m.Path == "":
		return out, nil
	}
	out.URL = ""
	if err := out.SHA256.UnmarshalText([]byte(strings.ToLower(m.SHA256))); err != nil {
		return nil, fmt.Errorf("%s: the plan has no hash of it", m.Path)
	}
	hash := out.SHA256
	out.Data = func() ([]byte, error) {
		if j.env.Media == nil {
			return nil, fmt.Errorf("%s: no files are at hand", m.Path)
		}
		data, err := j.env.Media(hash)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		case len(data) > MaxMedia:
			return nil, fmt.Errorf("%s has more than %d MiB", m.Path, MaxMedia>>20)
		case newel.HashOf(data) != hash:
			return nil, fmt.Errorf("%s is another file than its sha256 says", m.Path)
		}
		return data, nil
	}
	return out, nil
}
