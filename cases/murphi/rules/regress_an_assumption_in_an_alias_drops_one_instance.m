--@ verdict: violated "x is not 3"
--@ trace: 1 step
--@ engine: explicit, explicit --interpret
var x: 0..3; y: 0..1;
function one(v: 0..1): 0..1; begin assume v = 1; return v; end;
startstate x := 0; y := 0; end;
ruleset k: 0..1 do alias v: one(k) do rule "go" begin x := 3; end; end; end;
rule "turn" begin y := 1 - y; end;
invariant "x is not 3" x != 3;
