--@ verdict: violated "no three large ones"
--@ args: --deadlock off
--@ trace: 3 steps
var bag: multiset [4] of 0..3;
startstate undefine bag; end;
ruleset v: 0..3 do
  rule "put" multisetcount(i: bag, true) < 4 ==> multisetadd(v, bag); end;
end;
invariant "no three large ones" multisetcount(i: bag, bag[i] >= 2) < 3;
