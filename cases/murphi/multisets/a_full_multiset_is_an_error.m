--@ verdict: violated "multiset `bag` is full"
--@ trace: 2 steps
var bag: multiset [2] of boolean;
startstate undefine bag; end;
rule "put" begin multisetadd(true, bag); end;
