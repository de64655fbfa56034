--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- What is added later may lie in the slot, or not.
type P: scalarset(2);
var m: multiset[3] of P; n: multiset[3] of P; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(p, n); done := 1;
  end;
end;
choose i: m do rule "go" done = 1 & m[i] = w ==> begin
  undefine m; multisetadd(w, m); assert m[i] = w; done := 2;
end; end;
