--@ verdict: holds
--@ states: 4
--@ engine: explicit
var x: 0..5;
startstate x := 0; end;
rule "step" begin
  switch x
    case 0: x := 1;
    case 1, 2: x := x + 1;
    case 3: x := 0;
    case 4: error "nobody was here";
  end;
end;
