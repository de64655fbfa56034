--@ verdict: holds
--@ args: --deadlock off
var x, seen: 0..9;
procedure watch(p: 0..9);
begin
  x := 5;
  seen := p;
end;
startstate x := 1; seen := 0; watch(x + 0); end;
rule "stay" begin x := x; end;
invariant seen = 1;
