--@ verdict: holds
--@ args: --deadlock off
-- `!x = y` is `!(x = y)`; with `(!x) = y` the second invariant would fail.
var x, y: boolean;
startstate x := true; y := true; end;
startstate x := false; y := true; end;
rule "stay" begin x := x; end;
invariant (!x = y) = (x != y);
invariant x -> !(!x = y);
