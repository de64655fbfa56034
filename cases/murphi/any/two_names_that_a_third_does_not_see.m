--@ verdict: violated "all are left alone"
--@ args: --threads any
-- Whoever neither name means sees two names of others. They may be names of different elements.
type proc: scalarset(3);
var one: proc; other: proc; hit: array [proc] of boolean;
ruleset i: proc; j: proc do
  startstate one := i; other := j; for k: proc do hit[k] := false; end; end;
end;
ruleset k: proc do
  rule "hit" one != other & k != one & k != other ==> hit[k] := true; end;
end;
invariant "all are left alone" forall k: proc do !hit[k] end;
