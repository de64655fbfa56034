--@ verdict: violated
--@ args: --ltl 'X X (x = 2)'
-- A step that changes nothing is a step.
var x: 0..2;
startstate x := 0; end;
rule "round" begin x := (x + 1) % 3; end;
rule "wait" x = 1 ==> end;
