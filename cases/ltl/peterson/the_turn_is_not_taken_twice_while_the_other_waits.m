--@ verdict: holds
--@ args: --ltl '[] ((pc[0] = wait & pc[1] = critical) -> ((pc[1] = critical) U ((pc[1] != critical) U (pc[0] = critical))))'
-- Bounded overtaking: after the other one has left, we are next.
type process: 0..1; place: enum { idle, flagged, wait, critical };
var pc: array [process] of place; flag: array [process] of boolean; turn: process;
ruleset p: process do
  rule "raise" pc[p] = idle ==> flag[p] := true; pc[p] := flagged; end;
  rule "yield" pc[p] = flagged ==> turn := 1 - p; pc[p] := wait; end;
  rule "enter" pc[p] = wait & (!flag[1 - p] | turn = p) ==> pc[p] := critical; end;
  rule "leave" pc[p] = critical ==> flag[p] := false; pc[p] := idle; end;
end;
startstate for p: process do pc[p] := idle; flag[p] := false; end; turn := 0; end;
