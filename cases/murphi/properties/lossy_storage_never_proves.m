--@ verdict: unknown
--@ engine: explicit --storage compact, explicit --storage bitstate
var x: 0..9;
startstate x := 0; end;
rule "round" begin x := (x + 1) % 10; end;
invariant x < 10;
