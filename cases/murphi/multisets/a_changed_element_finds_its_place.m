--@ verdict: holds
--@ states: 10
--@ engine: explicit
-- Three elements, each counting modulo 3: multisets of size 3 over 3 values.
var bag: multiset [3] of 0..2;
startstate undefine bag; for i := 1 to 3 do multisetadd(0, bag); end; end;
choose i: bag do
  rule "turn" begin bag[i] := (bag[i] + 1) % 3; end;
end;
invariant multisetcount(i: bag, true) = 3;
