--@ verdict: violated "a part is free"
--@ args: --threads any
--@ threads: 3
--@ trace: 3 steps
-- Nobody plays two parts, so it takes three to play all three.
type proc: scalarset(2); part: enum { hero, villain, fool };
var taken: array [part] of boolean; busy: array [proc] of boolean;
startstate
  for p: part do taken[p] := false; end;
  for i: proc do busy[i] := false; end;
end;
ruleset i: proc; p: part do
  rule "take" !busy[i] & !taken[p] ==> busy[i] := true; taken[p] := true; end;
end;
invariant "a part is free" exists p: part do !taken[p] endexists;
