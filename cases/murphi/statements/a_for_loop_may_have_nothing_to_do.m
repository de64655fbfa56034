--@ verdict: holds
--@ args: --deadlock off
-- One tool refuses this; it is a loop with no turn.
var x: 0..9;
startstate x := 0; for i := 3 to 1 do x := i; end; end;
rule "stay" begin x := x; end;
invariant x = 0;
