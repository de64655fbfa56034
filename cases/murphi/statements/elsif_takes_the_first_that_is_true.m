--@ verdict: holds
--@ states: 4
--@ engine: explicit
var x: 0..9;
startstate x := 0; end;
rule "step" begin
  if x < 1 then x := 3;
  elsif x < 4 then x := 5;
  elsif x < 6 then x := 9;
  else x := 0;
  end;
end;
invariant x % 2 = 1 | x = 0;
