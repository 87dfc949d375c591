package gate_test
import ("testing";"time";"fmt";"newel/gate";"newel/stat")
func TestSlow(t *testing.T){
 for _,m:=range []float64{1e-300,1e-9,0.5,0.9,0.999999,1-1e-12,1e-3}{
  for _,l:=range []stat.Level{{},{Confidence:.500001},{Confidence:1-1e-16},{Confidence:1-1e-15,Looks:10000}}{
  for _,n:=range [][2]int{{1000,10},{1000000,1000000}}{
   for _,k:=range []gate.Kind{gate.MinRate,gate.NoWorse}{
   s:=time.Now()
   r:=gate.Rule{Kind:k,Min:m,Margin:m,Level:l}.Explain(n[0],n[1])
   if d:=time.Since(s);d>50*time.Millisecond{fmt.Println(m,l,n,k,d,r)}
   }}}}
}
