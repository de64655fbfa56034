--@ verdict: violated "value out of range: `x` is `-3..-1`"
--@ trace: 2 steps
var x: -3..-1;
startstate x := -3; end;
rule "up" begin x := x + 1; end;
