--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- No element lies in the multiset, but the loop orders its slots.
type P: scalarset(2);
var m: multiset[2] of 0..3; d: array[P] of 0..3; v: P; done: 0..2;
startstate begin done := 0; for p: P do d[p] := 0; end; end;
ruleset p: P do rule "set" done = 0 ==> begin v := p; d[p] := 1; done := 1; end; end;
rule "go" done = 1 ==> begin
  for p: P do multisetadd(d[p], m); end;
  multisetremovepred(j: m, multisetcount(i: m, true) = 2);
  assert multisetcount(i: m, m[i] = 1) = 1;
  done := 2;
end;
