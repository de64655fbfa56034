--@ verdict: holds
--@ engine: explicit, explicit --interpret
--@ states: 2, 2
-- The manual calls this an error; no tool does, and models rely on it.
var x: 0..3; tick: boolean;
startstate tick := false; end;
rule "tick" begin tick := !tick; end;
invariant isundefined(x);
