--@ args: --threads any
type proc: scalarset(2); var x: array [proc] of boolean;
startstate for i: proc do x[i] := false; end; end;
ruleset i: proc do rule begin x[i] := true; end; end;
cover "all" forall i: proc do x[i] endforall; --~ ERROR MU023
