--@ args: --threads any
type proc: scalarset(4); --~ ERROR MU023
var x: array [proc] of boolean;
startstate for i: proc do x[i] := false; end; end;
ruleset i: proc do rule begin x[i] := true; end; end;
invariant "not four"
  forall i: proc do forall j: proc do forall k: proc do forall l: proc do
    x[i] & x[j] & x[k] & x[l] -> i = j | i = k | i = l | j = k | j = l | k = l
  endforall endforall endforall endforall;
