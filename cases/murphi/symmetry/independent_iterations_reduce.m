--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --order dfs, explicit --interpret
--@ states: 4, 8, 4, 4
type id: scalarset(3);
var a: array [id] of boolean;
startstate for i: id do a[i] := false; end; end;
ruleset i: id do rule "flip" begin a[i] := !a[i]; end; end;
rule "turn all" begin for i: id do a[i] := !a[i]; end; end;
