--@ verdict: holds
--@ engine: explicit, explicit --interpret
--@ states: 3, 3
-- An assignment copies; only an operator reads.
var x, y: 0..3; tick: boolean;
startstate x := 1; tick := false; end;
rule "copy" begin x := y; tick := !tick; end;
invariant isundefined(y);
cover isundefined(x);
