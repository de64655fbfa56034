--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- The condition sees another slot by another name.
type P: scalarset(2);
var m: multiset[3] of P; n: multiset[3] of P; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(p, n); done := 1;
  end;
end;
choose i: m do rule "go" done = 1 & m[i] = w ==> begin
  alias e: m[i] do multisetremovepred(j: m, m[j] = e | isundefined(e)); end;
  assert multisetcount(j: m, true) = 0;
  done := 2;
end; end;
