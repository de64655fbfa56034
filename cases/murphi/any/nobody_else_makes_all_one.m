--@ verdict: violated "nobody is alone"
--@ args: --threads any
-- False of two elements and more, whoever a view shows: the rest differs from the owner. But
-- there may be no rest.
type proc: scalarset(3);
var owner: proc; alone: array [proc] of boolean;
ruleset i: proc do
  startstate owner := i; for j: proc do alone[j] := false; end; end;
  rule "take" owner := i; end;
  rule "look" forall j: proc do j = owner end ==> alone[i] := true; end;
end;
invariant "nobody is alone" forall i: proc do !alone[i] end;
