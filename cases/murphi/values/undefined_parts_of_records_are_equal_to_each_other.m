--@ verdict: holds
--@ args: --deadlock off
type pair: record a, b: 0..1; end;
var p, q: pair;
startstate p.a := 0; q.a := 0; end;
rule "nothing" p = q ==> end;
invariant p = q;
