--@ verdict: violated "who sees has raised a hand"
--@ args: --threads any
-- A loop over all elements has turns for those that no view shows, and what such a turn writes
-- is shared.
type proc: scalarset(3);
var seen: boolean; raised: array [proc] of boolean;
startstate seen := false; for i: proc do raised[i] := false; end; end;
ruleset i: proc do rule "raise" raised[i] := true; end; end;
rule "look" for i: proc do if raised[i] then seen := true; end; end; end;
invariant "who sees has raised a hand" forall i: proc do seen -> raised[i] end;
