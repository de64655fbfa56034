--@ verdict: violated "both"
--@ rule: unreachable
--@ trace: 0 steps
var x: 0..3;
startstate x := 0; end;
rule "round" begin x := (x + 2) % 4; end;
cover "even" x = 2;
cover "both" x % 2 = 1;
