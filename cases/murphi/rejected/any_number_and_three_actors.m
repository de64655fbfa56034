--@ args: --threads any
type proc: scalarset(3); var x: array [proc] of boolean;
startstate for i: proc do x[i] := false; end; end;
ruleset i: proc; j: proc; k: proc do
  rule "three" x[i] & x[j] & x[k] ==> x[i] := false; end; --~ ERROR MU023
end;
