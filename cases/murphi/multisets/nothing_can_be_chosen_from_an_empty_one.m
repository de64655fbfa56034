--@ verdict: violated "deadlock"
--@ trace: 0 steps
var bag: multiset [2] of boolean; x: boolean;
startstate undefine bag; x := false; end;
choose i: bag do
  rule "take" begin x := !x; end;
end;
