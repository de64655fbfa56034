--@ verdict: holds
--@ states: 2
--@ engine: explicit
var x, y: 0..3;
startstate x := 1; y := 0; end;
rule "step" begin
  switch x
    case y, y + 2: error "neither";
    case y + 1: y := 1 - y; x := y + 1;
  end;
end;
invariant x = y + 1;
