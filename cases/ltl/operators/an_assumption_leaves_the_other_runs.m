--@ verdict: violated
--@ args: --ltl 'F (x = 5)'
--@ trace: 1 step
-- Counting up ends where the assumption does; idling does not.
var x: 0..9; y: boolean;
startstate begin x := 0; y := false; end;
rule "inc" x < 9 ==> begin x := x + 1; end;
rule "idle" x = 0 ==> begin y := false; end;
assume x < 3;
