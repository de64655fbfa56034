--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- What is added changes the sum while it is made.
type P: scalarset(2);
var d: array[P] of 0..2; o: 0..3; done: 0..2;
function inc(p: P): 0..1; begin o := o + (2 - d[p]); return 1; end;
startstate begin done := 0; o := 1; for p: P do d[p] := 0; end; end;
ruleset p: P do rule "set" done = 0 ==> begin d[p] := 2; done := 1; end; end;
rule "go" done = 1 ==> begin for p: P do o := o + inc(p); end; done := 2; end;
