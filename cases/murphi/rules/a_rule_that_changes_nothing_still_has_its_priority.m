--@ verdict: violated "deadlock"
--@ trace: 1 step
-- The first rule is enabled for ever and keeps the second one from firing.
var x: 0..3;
startstate x := 0; end;
rule 0 "block" x = 1 ==> end;
rule 1 "count" x < 3 ==> x := x + 1; end;
