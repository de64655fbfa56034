--@ args: --threads any
-- Each turn may write to another element that a view shows.
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; n: array[P] of P; x: P;
ruleset p: P do startstate begin x := p; for i: P do a[i] := false; n[i] := i; end; end; end;
ruleset i: P; j: P do rule "link" x = j & n[j] = j & j != i ==> begin n[j] := i; end; end;
rule "w" n[x] != x ==> begin for j: P do --~ ERROR MU023
  if n[j] != j then a[n[j]] := true; end; end; end;
invariant "own" forall i: P do forall j: P do forall k: P do i = j | i = k | j = k | !a[i] | x = i | x = j | x = k end end end;
