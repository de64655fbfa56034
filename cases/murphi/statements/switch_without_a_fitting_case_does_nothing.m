--@ verdict: violated "deadlock"
--@ trace: 1 step
var x: 0..5;
startstate x := 0; end;
rule "step" begin
  switch x
    case 0: x := 3;
    case 1: x := 2;
  end;
end;
