--@ verdict: violated "value out of range"
--@ trace: 7 steps
--@ args: --const N=7
const N: 3;
var x: 0..N;
startstate x := 0; end;
rule "count" begin x := x + 1; end;
