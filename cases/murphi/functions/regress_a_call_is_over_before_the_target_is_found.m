--@ verdict: holds
--@ engine: explicit, explicit --interpret
--@ states: 3, 3
-- As with simple values: first the value, then where it goes.
type R: record v: 0..3; end;
var a: array[0..1] of R; i: 0..1; x: 0..1;
function f(): R; var r: R; begin i := 1; r.v := 3; return r; end;
startstate i := 0; x := 0; a[0].v := 0; a[1].v := 0; end;
rule "store" i = 0 ==> begin a[i] := f(); end;
rule "turn" i = 1 ==> begin x := 1 - x; end;
invariant a[0].v = 0 & (i = 1 -> a[1].v = 3);
