--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- The index behind the slot is computed when the slot is found, and fills the slot again.
type P: scalarset(2); cell: array [0..1] of P;
var m: multiset[3] of cell; v: P; done: 0..2;
startstate begin done := 0; end;
ruleset p: P do
  rule "set" done = 0 ==> var c: cell; begin
    v := p; c[0] := p; c[1] := p; multisetadd(c, m); done := 1;
  end;
end;
procedure put_in(p: P); var c: cell; begin c[0] := p; c[1] := p; multisetadd(c, m); end;
function refill(): 0..1; begin
  undefine m;
  for p: P do put_in(p); end;
  return 1;
end;
choose i: m do rule "go" done = 1 ==> var r: P; begin
  r := m[i][refill()]; assert r = v; done := 2;
end; end;
