--@ args: --threads any
-- `M` is the same for one, two and three elements, and another one for four.
const N: 3;
M: N - 3;
type P: scalarset(N); --~ ERROR MU023
var a: array[P] of boolean; c: 0..1;
startstate clear a; c := M > 0 ? 1 : 0; end;
ruleset i: P do rule "a" a[i] := true; end; end;
invariant "few" c = 0;
