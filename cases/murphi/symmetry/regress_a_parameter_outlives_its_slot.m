--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- The same, with a name for what lies in the slot.
type P: scalarset(2);
var m: multiset[3] of P; n: multiset[3] of P; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); multisetadd(q, m); multisetadd(p, n); done := 1;
  end;
end;
procedure take(x: P); begin undefine m; multisetadd(w, m); assert !isundefined(x); end;
choose i: m do rule "go" done = 1 & m[i] = w ==> begin take(m[i]); done := 2; end; end;
