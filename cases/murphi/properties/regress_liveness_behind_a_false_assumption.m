--@ verdict: violated "live"
--@ engine: explicit, explicit --interpret
var x: 0..3;
function at_three(): boolean; begin assume x = 3; return true; end;
startstate x := 0; end;
rule "up" x < 2 ==> begin x := x + 1; end;
rule "down" x = 2 ==> begin x := 0; end;
liveness "live" at_three();
