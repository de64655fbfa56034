--@ verdict: holds
var x: 0..3;
startstate x := 0; end;
rule "round" begin x := (x + 1) % 4; end;
cover "three" x = 3;
