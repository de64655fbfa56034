--@ verdict: holds
--@ args: --threads any
-- Who has the token may enter, and gives it to anybody after having left.
type proc: scalarset(3);
var holder: proc; inside: array [proc] of boolean;
ruleset p: proc do
  startstate
    holder := p;
    for i: proc do inside[i] := false; end;
  end;
end;
ruleset i: proc do
  rule "enter" holder = i ==> inside[i] := true; end;
  rule "leave" inside[i] ==> inside[i] := false; end;
  ruleset j: proc do
    rule "pass on" holder = i & !inside[i] ==> holder := j; end;
  end;
end;
invariant "mutual exclusion" forall i: proc do forall j: proc do
  i != j -> !(inside[i] & inside[j]) endforall endforall;
