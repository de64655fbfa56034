--@ verdict: violated "division by zero"
--@ trace: 3 steps
var x: 0..3;
startstate x := 3; end;
rule "down" begin x := x - 1; end;
invariant 6 / x < 7;
