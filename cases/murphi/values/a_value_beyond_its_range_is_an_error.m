--@ verdict: violated "value out of range: `x` is `0..3`"
--@ rule: evaluation
--@ trace: 3 steps
var x: 0..3;
startstate x := 0; end;
rule "count" begin x := x + 1; end;
