--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 2, 2
type id: scalarset(1);
var a: array [id] of boolean;
startstate for i: id do a[i] := false; end; end;
ruleset i: id do rule "flip" begin a[i] := !a[i]; end; end;
