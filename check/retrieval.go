package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"newel"
	"newel/check/textmetric"
)

var rankings = []string{"recall", "precision", "mrr", "ndcg", "map"}

// retrievalSpec measures a ranking of ids.
func retrievalSpec() *Spec {
	return &Spec{
		Name: "retrieval", Family: "reference", Main: "value", Compares: true, Metric: true,
		About:  "How well a ranked list of ids, best first, finds the relevant ones, from 0 to 1: the share of the relevant ids that is found (recall), of the found ids that is relevant (precision), one over the first relevant place (mrr), the discounted gain over the best possible (ndcg), or the mean precision at the relevant places (map); each over all places, or the first k. Relevant are the ids of a list or, with their gains, of a map {id: gain}; only ndcg looks at the size of a gain. Of a list of maps, as context is, the ids stand under id. A case without any relevant id is an error of kind case: no measure is defined for it. Without min or max it only reports.",
		Source: "Manning, Raghavan, Schütze 2008, ch. 8 (recall, precision, map); Voorhees 1999 (mrr); Järvelin and Kekäläinen 2002 (ndcg)",
		Params: metricParams(
			Param{Name: "at", Type: "path", About: "the list of ids, best first: texts, numbers, or maps that hold one", Default: "context"},
			Param{Name: "extract", Type: "list", About: readingParams[1].About, Default: "nothing"},
			Param{Name: "metric", Type: "recall, precision, mrr, ndcg or map", About: "what is measured; recall@5 is short for k: 5", Default: "recall"},
			Param{Name: "k", Type: "whole number", About: "how many places count", Default: "all"},
			Param{Name: "id", Type: "text", About: "the key of the id, where elements are maps", Default: "id"}),
		Example: `retrieval: {from: vars.relevant, metric: ndcg@10, min: 0.6}`,
		Build:   buildRetrieval,
	}
}

// ranking is a compiled retrieval.
type ranking struct {
	reading *Reading
	wanted  *Wanted
	measure Arg[cutoff]
	k       Arg[int]
	id      Arg[string]
	bounds  Bounds
}

// cutoff is a measure and how many places it looks at; 0 means all.
type cutoff struct {
	name string
	k    int
}

func buildRetrieval(a *Args) Func {
	r := &ranking{
		reading: readingAt(a, "context"), wanted: WantedOf(a), measure: argOf(a, "metric", cutoff{name: "recall"}, readCutoff),
		k: argOf(a, "k", 0, readPlaces), id: Text(a, "id", "id"), bounds: BoundsOf(a),
	}
	if m, _ := r.measure.Constant(); m.k > 0 && r.k.Set() {
		a.Wrong(a.Node("k").Pos, "retrieval: metric says k already: keep one")
	}
	return func(_ context.Context, s *newel.Subject) newel.Score {
		score, err := r.judge(s)
		if err != nil {
			return Because(err)
		}
		return score
	}
}

func readPlaces(v any) (int, error) {
	n, err := readWhole(v)
	if err == nil && n == 0 {
		err = fmt.Errorf("is at least 1; leave it out for all places")
	}
	return n, err
}

func readCutoff(v any) (cutoff, error) {
	text, _ := v.(string)
	name, after, short := strings.Cut(text, "@")
	c := cutoff{name: name}
	if short {
		k, err := strconv.Atoi(after)
		if err != nil || k < 1 {
			return cutoff{name: "recall"}, fmt.Errorf("%s counts no places: write recall@5", show(text))
		}
		c.k = k
	}
	for _, known := range rankings {
		if name == known {
			return c, nil
		}
	}
	return cutoff{name: "recall"}, fmt.Errorf("is one of %s%s", strings.Join(rankings, ", "), newel.DidYouMean(name, rankings))
}

func (r *ranking) judge(s *newel.Subject) (newel.Score, error) {
	c, err := r.measure.At(s)
	if err != nil {
		return newel.Score{}, err
	}
	if r.k.Set() {
		if c.k, err = r.k.At(s); err != nil {
			return newel.Score{}, err
		}
	}
	ids, err := r.got(s)
	if err != nil {
		return newel.Score{}, err
	}
	gains, err := r.gains(s)
	if err != nil {
		return newel.Score{}, err
	}
	value, defined := c.of(textmetric.Ranking{IDs: ids, Gains: gains})
	if !defined {
		return newel.Broken(newel.KindCase, "no id is relevant by "+r.wanted.place()+", and no measure is defined for such a case"), nil
	}
	score := r.bounds.Judge(s, "the "+c.String(), value)
	if score.Verdict == newel.Fail {
		score.Evidence = []newel.Evidence{{Path: r.reading.at.String(), Want: show(anyGains(gains)), Got: showAll(ids)}}
	}
	return score, nil
}

func anyGains(gains map[string]float64) map[string]any {
	out := make(map[string]any, len(gains))
	for id, g := range gains {
		out[id] = g
	}
	return out
}

// String returns the measure as it is written.
func (c cutoff) String() string {
	if c.k == 0 {
		return c.name
	}
	return c.name + "@" + strconv.Itoa(c.k)
}

func (c cutoff) of(r textmetric.Ranking) (float64, bool) {
	switch c.name {
	case "precision":
		return r.PrecisionAt(c.k)
	case "mrr":
		return r.ReciprocalRank(c.k)
	case "ndcg":
		return r.NDCG(c.k)
	case "map":
		return r.AveragePrecision(c.k)
	}
	return r.RecallAt(c.k)
}

// got returns the ranked ids.
func (r *ranking) got(s *newel.Subject) ([]string, error) {
	v, err := r.reading.JSON(s)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, r.reading.unfit(fmt.Sprintf("%s is %s, not a list of ids", r.reading.at, kindOf(v)))
	}
	key, err := r.id.At(s)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(list))
	for i, e := range list {
		if ids[i], ok = idOf(e, key); !ok {
			return nil, r.reading.unfit(fmt.Sprintf("%s.%d has no %s: %s", r.reading.at, i, key, show(e)))
		}
	}
	return ids, nil
}

// idOf returns an element's id: a text or number, its own or under key.
func idOf(e any, key string) (string, bool) {
	if m, ok := e.(map[string]any); ok {
		e = m[key]
	}
	if text, ok := e.(string); ok {
		return text, text != ""
	}
	return numberText(e)
}

// gains returns the relevant ids with their gains.
func (r *ranking) gains(s *newel.Subject) (map[string]float64, error) {
	v, err := r.wanted.Any(s)
	if err != nil {
		return nil, err
	}
	if v = parsed(v); v == nil {
		return nil, r.wanted.wrong(errNull)
	}
	key, err := r.id.At(s)
	if err != nil {
		return nil, err
	}
	gains, err := gainsOf(v, key)
	if err != nil {
		return nil, r.wanted.wrong(err)
	}
	return gains, nil
}

func gainsOf(v any, key string) (map[string]float64, error) {
	if m, ok := v.(map[string]any); ok {
		gains := make(map[string]float64, len(m))
		for _, id := range slices.Sorted(maps.Keys(m)) {
			if gains[id], ok = newel.Float(m[id]); !ok {
				return nil, fmt.Errorf("maps ids to numbers, their gains; %s is not one", show(m[id]))
			}
		}
		return gains, nil
	}
	list, _ := readList(v)
	ids := make([]string, len(list))
	for i, e := range list {
		var ok bool
		if ids[i], ok = idOf(e, key); !ok {
			return nil, fmt.Errorf("is a list of ids or a map of ids to gains; %s is no id", show(e))
		}
	}
	return textmetric.Relevant(ids...), nil
}
