--@ verdict: holds
--@ args: --ltl '(G F (x = 0) <-> [] <> (x = 0)) && G ((x = 1) -> F (x = 0))'
var x: 0..2;
startstate x := 0; end;
rule "round" begin x := (x + 1) % 3; end;
