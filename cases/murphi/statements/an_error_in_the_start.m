--@ verdict: violated "value out of range"
--@ trace: 0 steps
-- The run that is reported has no state at all.
var x: 0..1;
startstate "one" x := 1; end;
startstate "two" x := 1; x := x + 1; end;
rule "flip" begin x := 1 - x; end;
