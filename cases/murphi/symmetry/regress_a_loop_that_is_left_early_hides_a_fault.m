--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
-- Whether the error shows depends on which element comes first.
type P: scalarset(3);
var d: array[P] of 0..3; done: 0..2; k: 0..999;
procedure f(); begin for p:P do if d[p] = 1 then return; end; if d[p] = 2 then error "x"; end; end; end;
startstate begin done := 0; k := 0; for p:P do d[p] := 0; end; end;
ruleset p:P; q:P do rule "set" done = 0 & p != q ==> begin d[p] := 1; d[q] := 2; done := 1; end; end;
rule "go" done = 1 ==> begin f(); done := 2; end;
rule "again" done = 2 ==> begin for p:P do d[p] := 0; end; done := 0; end;
rule "tick" begin k := (k+1) % 1000; end;
