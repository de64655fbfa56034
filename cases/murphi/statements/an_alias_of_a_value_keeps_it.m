--@ verdict: holds
--@ args: --deadlock off
var x: 0..9; y: 0..9;
startstate
  x := 3;
  alias old: x + 1; place: x do
    x := 7;
    y := old + 0;
    place := place + 1;
  end;
end;
rule "stay" begin x := x; end;
invariant x = 8 & y = 4;
