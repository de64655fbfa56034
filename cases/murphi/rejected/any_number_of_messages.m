--@ args: --threads any
type proc: scalarset(2);
var mail: multiset [3] of proc; x: array [proc] of boolean;
startstate undefine mail; for i: proc do x[i] := false; end; end;
ruleset i: proc do rule multisetcount(m: mail, true) < 3 ==> multisetadd(i, mail); end; end; --~ ERROR MU023
