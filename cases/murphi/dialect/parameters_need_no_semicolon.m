--@ verdict: violated "small"
--@ trace: 2 steps
-- As in rumur, groups of parameters may follow each other without anything between them.
type t: 0..3;
var x: t; y: t;
procedure copy(var into: t from, more: t var other: t); begin into := from + more; other := into; end;
function larger(a: t;; b: t): t; begin return a > b ? a : b; end;
startstate x := 0; y := 0; end;
rule larger(x, y) < 3 ==> copy(x, y, 1, y); end;
rule "again" begin x := 0; y := 0; end;
invariant "small" x < 2;
