--@ verdict: violated
--@ args: --ltl '<> [] (exists i: id do at[i] end)'
-- No reduction by symmetry takes place: two elements swap for ever, and which one
-- is where matters to the run.
type id: scalarset(2);
var at: array [id] of boolean;
startstate for i: id do at[i] := false; end; end;
ruleset i: id do
  rule "come" forall j: id do !at[j] end ==> at[i] := true; end;
  rule "go" at[i] ==> at[i] := false; end;
end;
