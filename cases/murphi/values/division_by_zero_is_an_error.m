--@ verdict: violated "division by zero"
--@ rule: division
--@ trace: 2 steps
var x: 0..2; y: 0..9;
startstate x := 2; y := 0; end;
rule "divide" begin y := 8 / x; x := x - 1; end;
