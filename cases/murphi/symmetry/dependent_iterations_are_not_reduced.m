--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 8, 8
--@ note: is not reduced by symmetry
-- The loop leaves the last element it meets in `last`: elements differ.
type id: scalarset(3);
var a: array [id] of boolean;
startstate for i: id do a[i] := false; end; end;
ruleset i: id do rule "flip" begin a[i] := !a[i]; end; end;
rule "turn the last one that is set"
  var last: id;
begin
  for i: id do if a[i] then last := i; end; end;
  if !isundefined(last) then a[last] := !a[last]; end;
end;
