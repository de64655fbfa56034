--@ verdict: holds
--@ states: 2
--@ engine: explicit
var a, b: 0..3;
procedure swap(var x: 0..3; var y: 0..3);
  var t: 0..3;
begin
  t := x; x := y; y := t;
end;
startstate a := 1; b := 2; end;
rule "swap" begin swap(a, b); end;
invariant a + b = 3 & a != b;
