--@ verdict: holds
-- Read without `--strict`; the same text with it lies under `rejected`.
var x: boolean;
startstate x := false; end;
rule "flip" begin x := !x; end;
cover x;
liveness x;
