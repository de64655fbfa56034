--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- The same through a parameter: `t` may be `m` or not.
type P: scalarset(2); M: multiset[3] of P;
var m: M; n: M; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(p, n); done := 1;
  end;
end;
function same_slot(var s: M; var t: M): boolean;
begin return multisetcount(i: s, multisetcount(j: t, i = j & s[i] = t[j]) = 1) = 1; end;
rule "go" done = 1 ==> begin assert same_slot(m, n); done := 2; end;
