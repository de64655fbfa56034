--@ verdict: holds
--@ args: --deadlock off
var x: 0..999; y: 0..99;
startstate
  x := 0; y := 0;
  for i := 1 to 8 by 3 do x := x * 10 + i; end;     -- 1, 4, 7
  for i := 3 to 1 by -1 do y := y * 4 + i; end;     -- 3, 2, 1
end;
rule "stay" begin x := x; end;
invariant x = 147 & y = 57;
