--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 4, 8
type id: scalarset(3);
var a: array [id] of boolean;
function n_set(): 0..3;
  var n: 0..3;
begin
  n := 0;
  for i: id do if a[i] then n := n + 1; end; end;
  return n;
end;
startstate for i: id do a[i] := false; end; end;
ruleset i: id do rule "flip" begin a[i] := !a[i]; end; end;
invariant n_set() <= 3;
