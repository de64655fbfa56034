--@ verdict: violated "own"
--@ args: --threads any --param P
--@ threads: 4
-- As a write through a name of a name.
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; n: array[P] of P; x: P;
ruleset p: P do startstate begin x := p; for i: P do a[i] := false; n[i] := i; end; end; end;
ruleset i: P do rule "link" n[x] = x & x != i ==> begin n[x] := i; end; end;
rule "w" n[x] != x ==> begin undefine a[n[x]]; end;
invariant "own" forall i: P do forall j: P do forall k: P do i = j | i = k | j = k | !isundefined(a[i]) | x = i | x = j | x = k end end end;
