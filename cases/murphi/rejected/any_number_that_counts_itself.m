--@ args: --threads any
-- Any number of turns is not the same as one: it takes three elements to count to three.
type proc: scalarset(3); var x: array [proc] of boolean; n: 0..9;
startstate n := 0; for i: proc do x[i] := false; end; end;
ruleset i: proc do rule "flip" begin x[i] := !x[i]; end; end;
rule "count" n = 0 ==> begin
  for i: proc do n := n + 1; end; --~ ERROR MU023
end;
invariant "there are two" n < 3;
