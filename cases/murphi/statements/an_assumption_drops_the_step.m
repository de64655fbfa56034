--@ verdict: holds
--@ states: 3
--@ args: --deadlock off
--@ engine: explicit
var x: 0..9;
startstate x := 0; end;
rule "count" begin x := x + 1; assume x < 3; end;
invariant x < 3;
