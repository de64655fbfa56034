--@ verdict: holds
--@ states: 2
--@ engine: explicit
var x: boolean; r: record a: 0..1; end;
startstate x := false; end;
rule "say" begin put "x is "; put x; put r; put "\n"; x := !x; end;
