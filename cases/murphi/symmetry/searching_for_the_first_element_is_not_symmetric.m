--@ verdict: violated "the other one is never chosen"
--@ args: --deadlock off
--@ engine: explicit, explicit --no-symmetry
-- With an unsound reduction the two elements would be one.
type id: scalarset(2);
var busy: array [id] of boolean; chosen: array [id] of boolean;
function first_free(): id;
begin
  for i: id do if !busy[i] then return i; end; end;
  error "nobody is free";
end;
startstate for i: id do busy[i] := false; chosen[i] := false; end; end;
ruleset i: id do rule "work" !busy[i] & exists j: id do j != i & !busy[j] end ==> busy[i] := true; end; end;
rule "choose" exists i: id do !busy[i] end ==> chosen[first_free()] := true; end;
invariant "the other one is never chosen" !forall i: id do chosen[i] end;
