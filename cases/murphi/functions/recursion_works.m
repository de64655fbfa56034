--@ verdict: holds
--@ states: 1
--@ args: --deadlock off
--@ engine: explicit, explicit --interpret
var x: 0..1000;
function factorial(n: 0..9): 0..1000;
begin
  if n <= 1 then return 1; end;
  return n * factorial(n - 1);
end;
startstate x := factorial(6); end;
rule "stay" begin x := x; end;
invariant x = 720;
