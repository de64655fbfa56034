--@ verdict: holds
--@ args: --deadlock off
const N: 010;
var x: 0..N;
startstate x := 10; end;
rule "stay" begin x := x; end;
invariant x = N;
