--@ verdict: holds
--@ states: 2
--@ engine: explicit
var x: 0..3;
startstate x := 0; end;
rule "step" begin x := 1 - x; return; error "not reached"; end;
