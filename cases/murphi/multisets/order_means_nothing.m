--@ verdict: holds
--@ states: 6
--@ engine: explicit
-- Two elements out of 0..1 in any order: {}, {0}, {1}, {0,0}, {0,1}, {1,1}.
var bag: multiset [2] of 0..1;
startstate undefine bag; end;
ruleset v: 0..1 do
  rule "put" multisetcount(i: bag, true) < 2 ==> multisetadd(v, bag); end;
end;
choose i: bag do
  rule "take" begin multisetremove(i, bag); end;
end;
