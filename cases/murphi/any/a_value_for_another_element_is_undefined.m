--@ verdict: violated "b[x]` is undefined"
--@ args: --threads any --param P
--@ threads: 4
-- The flag of `x` is undefined; what is computed from it belongs to `y`.
const N: 3;
type P: scalarset(N);
var a: array[P] of boolean; b: array[P] of boolean; x: P; y: P; g: array[P] of boolean;
ruleset p: P; q: P do startstate begin x := p; y := q; clear a; clear g; clear b; undefine b[p]; end; end;
ruleset i: P do rule "g" begin g[i] := true; end; end;
rule "r" x != y & (exists j: P do exists k: P do j != k & j != x & j != y & k != x & k != y & g[j] & g[k] end end) ==> begin a[y] := !b[x]; end;
