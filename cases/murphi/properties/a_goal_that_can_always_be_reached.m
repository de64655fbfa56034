--@ verdict: holds
-- Nothing says that it will be reached, only that it can.
var x: 0..3;
startstate x := 0; end;
rule "up" x < 3 ==> x := x + 1; end;
rule "spin" x > 0 ==> x := x = 3 ? 1 : x; end;
rule "home" x = 2 ==> x := 0; end;
liveness "home" x = 0;
