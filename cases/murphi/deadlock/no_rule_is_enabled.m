--@ verdict: violated "deadlock"
--@ rule: deadlock
--@ args: --deadlock stuck
--@ trace: 2 steps
var x: 0..2;
startstate x := 0; end;
rule "up" x < 2 ==> x := x + 1; end;
