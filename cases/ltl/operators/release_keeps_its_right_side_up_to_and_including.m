--@ verdict: holds
--@ args: --ltl '(x = 2) R (x < 3) && (x = 2) V (x < 3)'
var x: 0..3;
startstate x := 0; end;
rule "up" x < 3 ==> x := x + 1; end;
rule "again" x = 3 ==> x := 0; end;
