--@ engine: explicit, explicit --interpret, explicit --order dfs
--@ verdict: violated "seven"
--@ trace: 0 steps
-- rumur fails as well: the statement is executed, its condition is never true.
var x: 0..3;
startstate x := 0; end;
rule "up" x < 3 ==> x := x + 1; cover x = 3 "three"; cover x + 4 = 8 "seven"; end;
rule "down" x = 3 ==> x := 0; end;
