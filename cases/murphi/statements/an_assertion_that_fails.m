--@ verdict: violated "x stays below three"
--@ trace: 2 steps
var x: 0..5;
startstate x := 0; end;
rule "count" begin x := x + 1; assert x < 3 "x stays below three"; end;
