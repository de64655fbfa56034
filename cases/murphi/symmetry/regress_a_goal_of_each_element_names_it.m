--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- Each goal names one element, and so tells it from the others.
type P: scalarset(2);
var x: P; c: array [P] of boolean;
ruleset p: P do startstate begin x := p; for q: P do c[q] := q = p; end; end; end;
rule "flip" begin for q: P do c[q] := !c[q]; end; end;
ruleset p: P do liveness "everybody again and again" x = p; end;
