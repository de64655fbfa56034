--@ verdict: holds
--@ args: --deadlock off
type thing: record n: 3..5; b: boolean; end;
var a: array [0..1] of thing;
startstate clear a; end;
rule "forget" begin undefine a; end;
invariant isundefined(a[0].n) = isundefined(a[1].b);
