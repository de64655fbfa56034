--@ verdict: holds
--@ args: --deadlock off
var a, b: boolean;
startstate a := true; b := false; end;
rule "stay" begin a := a; end;
invariant (a && !b) || (b && a);
invariant a == true;
