--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- What is added changes where the sum goes.
type P: scalarset(2);
var e: array[P] of 0..3; v: P; done: 0..2;
function bump(var z: P): 0..1; begin z := v; return 1; end;
procedure g(p: P); var z: P; begin z := p; e[z] := e[z] + bump(z); end;
startstate begin done := 0; for p: P do e[p] := 0; end; end;
ruleset p: P do rule "set" done = 0 ==> begin v := p; done := 1; end; end;
rule "go" done = 1 ==> begin for p: P do g(p); end; done := 2; end;
invariant done = 2 -> e[v] = 2;
