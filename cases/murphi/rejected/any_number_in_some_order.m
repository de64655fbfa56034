--@ args: --threads any
type proc: scalarset(2); --~ ERROR MU023
var x: array [proc] of boolean; last: proc;
startstate undefine last; for i: proc do x[i] := false; end; end;
ruleset i: proc do rule "set" begin x[i] := true; end; end;
rule "the last one wins" begin for i: proc do if x[i] then last := i; end; end; end;
