--@ verdict: violated "`i` is undefined"
--@ rule: uninitialised-memory
--@ trace: 0 steps
var i: 0..1; a: array [0..1] of boolean;
startstate a[0] := false; a[1] := true; end;
rule "look" a[i] ==> end;
