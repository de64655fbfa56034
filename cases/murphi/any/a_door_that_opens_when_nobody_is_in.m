--@ verdict: holds
--@ args: --threads any
-- The door stays shut behind who leaves until it is seen that there is nobody.
type proc: scalarset(3);
var shut: boolean; inside: array [proc] of boolean;
startstate shut := false; for i: proc do inside[i] := false; end; end;
ruleset i: proc do
  rule "enter" !shut ==> shut := true; inside[i] := true; end;
  rule "leave" begin inside[i] := false; end;
end;
rule "open" !exists i: proc do inside[i] endexists ==> shut := false; end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(inside[i] & inside[j]) endforall endforall;
