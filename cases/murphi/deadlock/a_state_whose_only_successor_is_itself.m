--@ verdict: violated "deadlock"
--@ trace: 2 steps
var x: 0..2;
startstate x := 0; end;
rule "up" begin x := x < 2 ? x + 1 : x; end;
