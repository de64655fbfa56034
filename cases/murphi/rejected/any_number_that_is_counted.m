--@ args: --threads any
type proc: scalarset(2); var x: array [proc] of boolean; n: 0..9;
startstate n := 0; for i: proc do x[i] := false; end; end;
ruleset i: proc do rule "flip" begin x[i] := !x[i]; end; end;
rule "count" begin
  n := 0;
  for i: proc do if x[i] then n := n + 1; end; end; --~ ERROR MU023
end;
