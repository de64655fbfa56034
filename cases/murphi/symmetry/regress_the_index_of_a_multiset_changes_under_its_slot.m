--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- Between `choose` and the use, the index comes to name another multiset.
type P: scalarset(2);
var a: array[0..1] of multiset[3] of P; x: 0..1; v: P; w: P; done: 0..2;
startstate begin done := 0; x := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, a[0]); multisetadd(q, a[0]); multisetadd(p, a[1]); done := 1;
  end;
end;
choose i: a[x] do rule "go" done = 1 & a[x][i] = w ==> begin
  x := 1; assert a[x][i] = v; done := 2;
end; end;
