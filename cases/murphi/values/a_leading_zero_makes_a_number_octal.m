--@ verdict: holds
--@ args: --deadlock off
-- As in C. One tool reads such numbers as decimal ones, so better write none.
const N: 010;
var x: 0..N;
startstate x := 8; end;
rule "stay" begin x := x; end;
invariant x = N;
