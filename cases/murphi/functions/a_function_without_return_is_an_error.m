--@ verdict: violated "ends without `return`"
--@ trace: 2 steps
var x: 0..3;
function next(n: 0..3): 0..3;
begin
  if n < 2 then return n + 1; end;
end;
startstate x := 0; end;
rule "step" begin x := next(x); end;
