--@ verdict: holds
--@ args: --deadlock off
--@ states: 2
--@ engine: explicit
type pair: record a: 0..1; b: boolean; end;
var p, q: pair;
startstate p.a := 1; end;
rule "copy" begin q := p; end;
invariant !isundefined(q.a) -> q.a = 1 & isundefined(q.b);
