--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- Slots that hold arrays over elements are ordered by elements.
type P: scalarset(2); A: array[P] of boolean;
var m: multiset[2] of A; v: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P do rule "set" done = 0 ==> var a: A; begin
  v := p;
  for q: P do a[q] := q = p; end; multisetadd(a, m);
  for q: P do a[q] := q != p; end; multisetadd(a, m);
  done := 1;
end; end;
rule "go" done = 1 ==> begin
  multisetremovepred(j: m, multisetcount(i: m, true) = 2);
  assert multisetcount(i: m, m[i][v]) = 1;
  done := 2;
end;
