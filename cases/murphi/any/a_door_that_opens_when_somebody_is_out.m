--@ verdict: violated "mutual exclusion"
--@ args: --threads any
--@ threads: 2
--@ trace: 3 steps
-- With one process alone, nobody is out while somebody is in.
type proc: scalarset(3);
var shut: boolean; inside: array [proc] of boolean;
startstate shut := false; for i: proc do inside[i] := false; end; end;
ruleset i: proc do
  rule "enter" !shut ==> shut := true; inside[i] := true; end;
  rule "leave" begin inside[i] := false; end;
end;
rule "open" exists i: proc do !inside[i] endexists ==> shut := false; end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(inside[i] & inside[j]) endforall endforall;
