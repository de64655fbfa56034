--@ verdict: violated "b[x]` is undefined"
--@ args: --threads any --param P
--@ threads: 4
-- Four elements are needed: that of the turn, two more, and `x`, whose flag is undefined.
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; b: array[P] of boolean; x: P;
ruleset p: P do startstate begin x := p; clear a; for i: P do undefine b[i]; end; end; end;
ruleset i: P do rule "in" begin a[i] := true; end; end;
rule "check" begin
for i: P do if i != x & a[i] & (exists j: P do exists k: P do j != x & k != x & k != j & k != i & j != i & a[j] & a[k] end end) then
assert b[x] -> true; end; end; end;
