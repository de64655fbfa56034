--@ verdict: violated "never"
--@ engine: explicit, explicit --interpret
-- An `assume` that is false inside of a property leaves it alone.
var x: 0..3;
function at_three(): boolean; begin assume x = 3; return true; end;
startstate x := 0; end;
rule "up" x < 2 ==> begin x := x + 1; end;
rule "down" x = 2 ==> begin x := 0; end;
invariant "left alone" at_three() & x = 3;
cover "never" at_three() & x = 3;
