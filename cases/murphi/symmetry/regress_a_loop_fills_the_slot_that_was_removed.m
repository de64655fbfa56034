--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- Additions take the slots in the order of the loop.
type P: scalarset(2);
var m: multiset[3] of P; n: multiset[3] of P; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(p, n); done := 1;
  end;
end;
choose i: m do rule "go" done = 1 & m[i] = v ==> begin
  multisetremove(i, m); for p: P do multisetadd(p, m); end; assert m[i] = v; done := 2;
end; end;
