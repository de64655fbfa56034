-- One in a declaration, one in a condition, one in an expression.
var x : 0 .. 3;
    y : array [0 .. 2 of boolean; --~ ERROR MU002
startstate x := 0; end;
rule "up" begin
  if x + then --~ ERROR MU002
    x := x + 1;
  end;
  y[0] := true;
end;
rule "down" begin
  x := (x - 1; --~ ERROR MU002
  x := 0;
end;
