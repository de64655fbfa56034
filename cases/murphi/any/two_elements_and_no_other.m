--@ verdict: violated "own"
--@ args: --threads any --param P
--@ threads: 2
-- With exactly two elements there is nobody else: after many steps that matters.
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; k: 0..21000; f: boolean;
startstate begin k := 0; f := false; for i: P do a[i] := false; end; end;
ruleset i: P do rule "in" begin a[i] := true; end; end;
rule "k" k < 21000 ==> begin k := k + 1; end;
rule "two" k = 21000 & (exists i: P do exists j: P do i != j end end) & !(exists i: P do exists j: P do exists l: P do i != j & j != l & i != l end end end) ==> begin f := true; end;
invariant "own" forall i: P do forall j: P do i = j | !a[i] | !a[j] | !f end end;
