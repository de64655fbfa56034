--@ verdict: violated "b[x]` is undefined"
--@ args: --threads any --param P
--@ threads: 4
-- A sum of what belongs to two elements, of which that of `x` is undefined.
const N: 3;
type P: scalarset(N);
var k: 0..3; b: array[P] of 0..1; x: P; y: P; g: array[P] of boolean;
ruleset p: P; q: P do startstate begin x := p; y := q; k := 0; clear g; clear b; undefine b[p]; end; end;
ruleset i: P do rule "g" begin g[i] := true; end; end;
rule "r" x != y & (exists j: P do exists k: P do j != k & j != x & j != y & k != x & k != y & g[j] & g[k] end end) ==> begin k := b[x] + b[y]; end;
