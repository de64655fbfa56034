--@ verdict: holds
--@ args: --deadlock off
--@ states: 3
--@ engine: explicit
var x: 0..2;
startstate x := 0; end;
rule "up" x < 2 ==> x := x + 1; end;
