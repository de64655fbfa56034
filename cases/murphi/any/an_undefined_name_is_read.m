--@ verdict: violated "undefined"
--@ args: --threads any
--@ threads: 2
--@ trace: 1 step
-- Nobody has asked the one who wakes up. With one process alone, nobody ever asks.
type proc: scalarset(3);
var asked_by: array [proc] of proc; waits: array [proc] of boolean;
startstate for i: proc do undefine asked_by[i]; waits[i] := false; end; end;
ruleset i: proc do
  ruleset j: proc do
    rule "ask" i != j & !waits[i] ==> asked_by[j] := i; waits[i] := true; end;
  end;
  rule "wake up" exists j: proc do waits[j] endexists ==> waits[asked_by[i]] := false; end;
end;
