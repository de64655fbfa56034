--@ verdict: violated "value out of range: `double` returns `0..3`"
--@ trace: 2 steps
var x, y: 0..9;
function double(n: 0..9): 0..3; begin return n * 2; end;
startstate x := 0; y := 0; end;
rule "step" begin y := double(x); x := x + 1; end;
