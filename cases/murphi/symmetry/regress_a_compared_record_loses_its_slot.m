--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ args: --deadlock off
-- Both records are found before they are compared; finding the second one removes the first.
type P: scalarset(2); cell: record at: P; end;
var m: multiset[3] of cell; v: cell; a: array [0..1] of cell; done: 0..2;
startstate begin done := 0; end;
ruleset p: P do
  rule "set" done = 0 ==> begin
    v.at := p; a[0] := v; a[1] := v; multisetadd(v, m); done := 1;
  end;
end;
procedure put_in(p: P); var c: cell; begin c.at := p; multisetadd(c, m); end;
function refill(): 0..1; begin
  undefine m;
  for p: P do put_in(p); end;
  return 1;
end;
choose i: m do rule "go" done = 1 ==> begin
  if m[i] = a[refill()] then done := 2; else error "another element"; end;
end; end;
