--@ verdict: holds
--@ states: 4
--@ engine: explicit
type row: array [0..2] of 0..1;
var a: row;
procedure increment(var r: row);
begin
  for i: 0..2 do
    if r[i] = 0 then r[i] := 1; return; end;
  end;
  clear r;
end;
startstate clear a; end;
rule "next" begin increment(a); end;
invariant a[0] >= a[1] & a[1] >= a[2];
