--@ verdict: holds
--@ states: 4
--@ engine: explicit
--@ args: --deadlock off
var x, y: 0..3;
ruleset i: 0..3 do startstate x := i; y := 0; end; end;
rule "both" x < 3 ==> x := x + 1; y := y + 1; end;
assume "near" x = y | (x = 0 & y = 0);
invariant x = y;
