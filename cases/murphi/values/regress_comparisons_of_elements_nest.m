--@ verdict: holds
--@ args: --deadlock off
--@ engine: explicit, explicit --interpret
-- Each comparison is the index of the next one: its places are not copied.
type S: scalarset(2);
var a: array[boolean] of S; x: S;
startstate for s: S do x := s; a[true] := s; a[false] := s; end; end;
rule a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[a[
  x = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x]
  = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x] = x
==> begin x := x; end;
