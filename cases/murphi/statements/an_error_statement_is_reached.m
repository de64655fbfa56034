--@ verdict: violated "this cannot happen"
--@ trace: 1 step
var x: 0..1;
startstate x := 0; end;
rule "step" begin if x = 1 then error "this cannot happen"; else x := 1; end; end;
