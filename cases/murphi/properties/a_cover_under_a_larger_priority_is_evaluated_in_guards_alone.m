--@ engine: explicit, explicit --interpret
--@ verdict: violated "in the action"
-- The guard of the second rule is evaluated though its action never is.
var x: 0..1;
function yes(): boolean; begin cover x = 1 "in the guard"; return true; end;
startstate x := 0; end;
rule 1 "first" x := 1 - x; end;
rule 2 "second" yes() ==> cover true "in the action"; end;
