--@ verdict: holds
--@ states: 4
--@ engine: explicit
Var x: Boolean; X: BOOLEAN;
STARTSTATE x := False; X := TRUE; EndStartState;
Rule "small" begin x := !x; End;
rule "large" begin X := !X; endRULE;
INVARIANT x = X | X != x;
