--@ args: --threads any
type proc: scalarset(2);
var x: array [proc] of boolean;
startstate for i: proc do x[i] := false; end; end;
ruleset i: proc do
  rule "wait"
  begin
    while exists j: proc do x[j] endexists do for j: proc do x[j] := false; end; end; --~ ERROR MU023
    x[i] := true;
  end;
end;
