--@ args: --strict
var x: boolean;
startstate x := false; end;
rule "flip" begin x := !x; cover x; end; --~ ERROR MU015
cover x; --~ ERROR MU015
liveness x; --~ ERROR MU015
