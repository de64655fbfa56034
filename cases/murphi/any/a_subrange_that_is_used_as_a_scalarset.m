--@ verdict: holds
--@ args: --threads any
-- Nothing is computed with processes, and no constant names one.
const N: 2;
type proc: 0..N - 1;
var lock: boolean; inside: array [proc] of boolean;
startstate lock := false; for i: proc do inside[i] := false; end; end;
ruleset i: proc do
  rule "enter" !lock ==> lock := true; inside[i] := true; end;
  rule "leave" inside[i] ==> lock := false; inside[i] := false; end;
end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(inside[i] & inside[j]) endforall endforall;
