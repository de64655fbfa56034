--@ args: --threads any
const N: 2;
type proc: scalarset(N); --~ ERROR MU023
var x: array [proc] of boolean; n: 0..N;
startstate n := 0; for i: proc do x[i] := false; end; end;
ruleset i: proc do rule !x[i] ==> x[i] := true; n := n + 1; end; end;
