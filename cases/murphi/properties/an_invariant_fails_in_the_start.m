--@ verdict: violated "not one"
--@ rule: invariant
--@ trace: 0 steps
var x: 0..1;
startstate "zero" x := 0; end;
startstate "one" x := 1; end;
rule "flip" begin x := 1 - x; end;
invariant "not one" x != 1;
