--@ verdict: violated "only the owner sees it"
--@ args: --threads any
-- Whoever does not start sees that a value of the starter's was taken, and not which one.
type proc: scalarset(3);
var owner: proc; seen: boolean; a: array [proc] of boolean;
ruleset i: proc do
  startstate
    owner := i; seen := false;
    for j: proc do a[j] := true; end;
    seen := a[i];
  end;
end;
ruleset i: proc do rule "close" owner = i ==> seen := false; end; end;
invariant "only the owner sees it" forall i: proc do seen -> owner = i end;
