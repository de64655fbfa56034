--@ verdict: violated "value out of range: `sum` is `0..5`"
--@ trace: 3 steps
var n: 0..9; sum: 0..5;
startstate n := 0; sum := 0; end;
rule "again" begin
  sum := 0;
  for i := 1 to n do sum := sum + i; end;
  n := n + 1;
end;
