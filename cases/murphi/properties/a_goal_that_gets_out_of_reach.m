--@ verdict: violated "home"
--@ rule: liveness
--@ trace: 3 steps
var x: 0..4;
startstate x := 0; end;
rule "up" x < 3 ==> x := x + 1; end;
rule "home" x < 3 ==> x := 0; end;
rule "spin" x >= 3 ==> x := 7 - x; end;
liveness "home" x = 0;
