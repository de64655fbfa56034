--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --order dfs
--@ states: 7, 16, 7
-- Two by two truth values, up to swapping rows and columns.
type row: scalarset(2); column: scalarset(2);
var m: array [row] of array [column] of boolean;
startstate for r: row do for c: column do m[r][c] := false; end; end; end;
ruleset r: row; c: column do rule "flip" begin m[r][c] := !m[r][c]; end; end;
