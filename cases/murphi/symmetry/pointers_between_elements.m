--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --order dfs
--@ states: 7, 27, 7
-- Functions from three elements to three, up to renaming: seven.
type id: scalarset(3);
var goes: array [id] of id;
startstate for i: id do goes[i] := i; end; end;
ruleset i: id; j: id do rule "point" begin goes[i] := j; end; end;
