--@ verdict: holds
--@ args: --deadlock off
type thing: record n: 3..5; e: enum { red, green }; b: boolean; end;
var a: array [0..1] of thing;
startstate a[1].n := 5; a[1].e := green; a[1].b := true; clear a[0]; end;
rule "clear" begin clear a; end;
invariant a[0].n = 3 & a[0].e = red & !a[0].b;
invariant a[1].n = 5 | (a[1].n = 3 & a[1].e = red & !a[1].b);
