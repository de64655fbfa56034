--@ verdict: holds
--@ args: --ltl '[] ((x = 1) -> X (x = 2)) && X (x = 1)'
var x: 0..2;
startstate x := 0; end;
rule "round" begin x := (x + 1) % 3; end;
