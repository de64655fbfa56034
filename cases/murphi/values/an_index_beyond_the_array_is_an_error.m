--@ verdict: violated "index out of range"
--@ trace: 2 steps
var a: array [0..1] of boolean; i: 0..2;
startstate for j: 0..1 do a[j] := true; end; i := 0; end;
rule "next" a[i] ==> i := i + 1; end;
