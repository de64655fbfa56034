--@ args: --threads any
-- The assertion speaks of three elements, and of that of the turn.
const N: 3;
type P: scalarset(N); --~ ERROR MU023
var a: array[P] of boolean; 
startstate begin for i: P do a[i] := false; end; end;
ruleset i: P do rule "in" begin a[i] := true; end; end;
rule "check" begin
for i: P do if a[i] then assert forall j: P do forall k: P do forall l: P do
i = j | i = k | i = l | j = k | j = l | k = l | !(a[j] & a[k] & a[l]) end end end; end; end; end;
