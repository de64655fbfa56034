--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- The alias stays with the element that `s` was before.
type P: scalarset(2);
var a: array[P] of 0..1; got: 0..1; v: P; w: P; done: 0..2;
procedure f(var s: P);
begin
  alias c: a[s] do
    s := w;
    for i: P do if i != s then a[i] := 1; else got := c; end; end;
  end;
end;
startstate begin done := 0; got := 0; for p: P do a[p] := 0; end; end;
ruleset p: P; q: P do rule "set" done = 0 & p != q ==> begin v := p; w := q; done := 1; end; end;
rule "go" done = 1 ==> begin f(v); done := 2; end;
invariant done = 2 -> got = 1;
