--@ engine: explicit, explicit --interpret
--@ verdict: violated "`y` is undefined"
--@ trace: 0 steps
-- The guards of all rules are evaluated, though only the first rule can fire here.
var x: 0..2; y: 0..2;
startstate x := 0; end;
rule 1 "first" x < 2 ==> x := x + 1; end;
rule 5 "second" y = 1 ==> x := 0; end;
