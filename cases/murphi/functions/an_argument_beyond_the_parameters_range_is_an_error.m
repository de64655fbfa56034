--@ verdict: violated "value out of range: `n` of `half` is `0..3`"
--@ trace: 4 steps
var x, y: 0..9;
function half(n: 0..3): 0..3; begin return n / 2; end;
startstate x := 0; y := 0; end;
rule "step" begin y := half(x); x := x + 1; end;
