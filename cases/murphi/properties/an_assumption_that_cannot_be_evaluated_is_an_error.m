--@ verdict: violated "`y` is undefined"
var x, y: 0..3;
startstate x := 0; end;
rule "both" x < 3 ==> x := x + 1; end;
assume x = y;
