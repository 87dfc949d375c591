package stat

import (
	"cmp"
	"slices"
)

// Alone as a cluster index makes each row a cluster of its own. Use it for
// every case that has one row: such rows cost no memory per cluster.
const Alone int32 = -1

// Kish counts clusters by their sizes (Kish 1965). The zero value is empty.
type Kish struct {
	Rows     float64 // Σk
	Squares  float64 // Σk²
	Clusters int64
}

// Add counts times clusters of size rows each.
func (k *Kish) Add(size, times int64) {
	if size == 0 || times == 0 {
		return
	}
	k.Rows += float64(size) * float64(times)
	k.Squares += float64(size) * float64(size) * float64(times)
	k.Clusters += times
}

// Size is m̃ = Σk²/Σk, the cluster that a row finds itself in; 0 when empty.
func (k Kish) Size() float64 {
	if k.Rows == 0 {
		return 0
	}
	return k.Squares / k.Rows
}

// Effective is C̃ = (Σk)²/Σk², the number of equal clusters that these are
// worth; 0 when empty.
func (k Kish) Effective() float64 {
	if k.Rows == 0 {
		return 0
	}
	return k.Rows * k.Rows / k.Squares
}

// DesignEffect is 1 + (m−1)ρ: by what factor clusters of m rows with intraclass
// correlation rho inflate a variance (Kish 1965).
func DesignEffect(m, rho float64) float64 { return 1 + (m-1)*rho }

// grouping lists which rows stand alone and which share clusters.
type grouping struct {
	alone  []int32 // rows, each a cluster of its own (or Times of them)
	shared []int32 // rows in order of their cluster
}

func group(n int, cluster func(int) int32) grouping {
	var g grouping
	sorted, last := true, int32(0)
	for i := range n {
		c := cluster(i)
		if c < 0 {
			g.alone = append(g.alone, int32(i))
			continue
		}
		sorted, last = sorted && c >= last, c
		g.shared = append(g.shared, int32(i))
	}
	if !sorted {
		slices.SortStableFunc(g.shared, func(a, b int32) int {
			return cmp.Compare(cluster(int(a)), cluster(int(b)))
		})
	}
	return g
}

// each calls visit with the rows of one shared cluster after another.
func (g grouping) each(cluster func(int) int32, visit func(rows []int32)) {
	for from := 0; from < len(g.shared); {
		to := from + 1
		for to < len(g.shared) && cluster(int(g.shared[to])) == cluster(int(g.shared[from])) {
			to++
		}
		visit(g.shared[from:to])
		from = to
	}
}
