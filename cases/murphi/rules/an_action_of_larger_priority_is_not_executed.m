--@ engine: explicit, explicit --interpret
--@ args: --deadlock off
--@ verdict: holds
--@ states: 3, 3
-- The guard of "wrong" is true in every state, and its action would fail in each.
var x: 0..2;
startstate x := 0; end;
rule 1 "up" x < 2 ==> x := x + 1; end;
rule 1 "stay" x = 2 ==> end;
rule 5 "wrong" x >= 0 ==> error "executed"; end;
