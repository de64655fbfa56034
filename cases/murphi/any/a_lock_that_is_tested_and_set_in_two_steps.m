--@ verdict: violated "mutual exclusion"
--@ args: --threads any
--@ threads: 2
--@ trace: 4 steps
type proc: scalarset(3);
var lock: boolean; pc: array [proc] of enum { idle, ready, critical };
startstate lock := false; for i: proc do pc[i] := idle; end; end;
ruleset i: proc do
  rule "test" pc[i] = idle & !lock ==> pc[i] := ready; end;
  rule "set" pc[i] = ready ==> lock := true; pc[i] := critical; end;
  rule "leave" pc[i] = critical ==> lock := false; pc[i] := idle; end;
end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(pc[i] = critical & pc[j] = critical) endforall endforall;
