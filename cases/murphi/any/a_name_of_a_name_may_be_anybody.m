--@ verdict: violated "whoever is named is the one"
--@ args: --threads any
-- What an element beside the view names may be beside it as well.
type proc: scalarset(3);
var x: proc; next: array [proc] of proc; has_moved: boolean;
ruleset i: proc do
  startstate x := i; has_moved := false; for j: proc do next[j] := j; end; end;
end;
ruleset i: proc do rule "stay" next[i] := i; end; end;
rule "move" !has_moved ==> x := next[x]; has_moved := true; end;
invariant "whoever is named is the one" forall i: proc do
  has_moved -> isundefined(x) | x = i end;
