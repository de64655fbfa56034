--@ verdict: holds
--@ args: --deadlock off
-- It is passed by reference and only must not be assigned: a trap.
type number: 0..9;
var x, seen: number;
procedure watch(p: number);
begin
  x := 5;
  seen := p;
end;
startstate x := 1; seen := 0; watch(x); end;
rule "stay" begin x := x; end;
invariant seen = 5;
