--@ verdict: holds
-- The sum is 6 on its way, which no variable could hold.
var x, y: 0..3;
startstate x := 3; y := 3; end;
rule "mean" begin x := (x + y) / 2; y := 3 - y; end;
invariant x + y <= 6;
