--@ verdict: violated "never five"
--@ trace: 3 steps
--@ engine: explicit, explicit --interpret
-- One by one it would take five steps.
var x: 0..9;
startstate x := 0; end;
rule "one" x < 9 ==> x := x + 1; end;
rule "two" x < 8 ==> x := x + 2; end;
rule "back" x > 0 ==> x := 0; end;
invariant "never five" x != 5;
