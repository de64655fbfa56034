--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- A later argument removes the slot that an earlier one lies in, and the loop fills it again.
type P: scalarset(2);
var m: multiset[3] of P; v: P; w: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P; q: P do
  rule "set" done = 0 & p != q ==> begin
    v := p; w := q; multisetadd(p, m); done := 1;
  end;
end;
function wipe(): boolean; begin undefine m; return true; end;
procedure take(x: P; b: boolean); begin
  for p: P do multisetadd(p, m); end;
  assert x = v;
end;
choose i: m do rule "go" done = 1 & m[i] = v ==> begin take(m[i], wipe()); done := 2; end; end;
