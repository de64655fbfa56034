--@ verdict: violated "a part is free"
--@ args: --threads any
--@ threads: 4
--@ trace: 4 steps
-- Nobody plays two parts, so it takes four to play all four: more than views are tried with.
type proc: scalarset(2); part: enum { hero, villain, fool, chorus };
var taken: array [part] of boolean; busy: array [proc] of boolean;
startstate
  for p: part do taken[p] := false; end;
  for i: proc do busy[i] := false; end;
end;
ruleset i: proc; p: part do
  rule "take" !busy[i] & !taken[p] ==> busy[i] := true; taken[p] := true; end;
end;
invariant "a part is free" exists p: part do !taken[p] endexists;
