--@ verdict: violated "n is never 1"
--@ trace: 1 step
--@ engine: explicit, explicit --interpret, explicit --no-symmetry
-- The places of a comparison that may be undefined are found once.
type S: scalarset(2);
var a: array[0..3] of S; b: S; n: 0..3;
function next(): 0..3; begin n := n + 1; return n; end;
startstate
  n := 0;
  for s: S do b := s; for i: 0..3 do a[i] := s; end; end;
end;
rule "compare" n = 0 ==> begin if a[next()] = b then n := n; end; end;
rule "again" n > 0 ==> begin n := 0; end;
invariant "n is never 1" n != 1;
