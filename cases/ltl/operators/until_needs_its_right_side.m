--@ verdict: violated
--@ args: --ltl '(x = 0) U (x = 2)'
-- With `W` instead, it would hold.
var x: 0..2; y: boolean;
startstate x := 0; y := false; end;
rule "tick" begin y := !y; end;
rule "go" x = 0 ==> x := 2; end;
