--@ verdict: holds
--@ args: --ltl '[] ((pc[0] = wait) -> <> (pc[0] = critical))'
-- Waiting is a guard here: a process that cannot enter has no step. So the other
-- one runs into its own guard, and then there is nobody else left to step.
type process: 0..1; place: enum { idle, flagged, wait, critical };
var pc: array [process] of place; flag: array [process] of boolean; turn: process;
ruleset p: process do
  rule "raise" pc[p] = idle ==> flag[p] := true; pc[p] := flagged; end;
  rule "yield" pc[p] = flagged ==> turn := 1 - p; pc[p] := wait; end;
  rule "enter" pc[p] = wait & (!flag[1 - p] | turn = p) ==> pc[p] := critical; end;
  rule "leave" pc[p] = critical ==> flag[p] := false; pc[p] := idle; end;
end;
startstate for p: process do pc[p] := idle; flag[p] := false; end; turn := 0; end;
