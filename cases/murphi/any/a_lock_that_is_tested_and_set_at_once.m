--@ verdict: holds
--@ args: --threads any
type proc: scalarset(3);
var lock: boolean; pc: array [proc] of enum { idle, critical };
startstate lock := false; for i: proc do pc[i] := idle; end; end;
ruleset i: proc do
  rule "enter" pc[i] = idle & !lock ==> lock := true; pc[i] := critical; end;
  rule "leave" pc[i] = critical ==> lock := false; pc[i] := idle; end;
end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(pc[i] = critical & pc[j] = critical) endforall endforall;
