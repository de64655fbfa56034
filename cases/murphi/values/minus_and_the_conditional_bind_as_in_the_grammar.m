--@ verdict: holds
--@ args: --deadlock off
var n: -20..20;
startstate n := 2; end;
rule "change sign" begin n := -n; end;
invariant -n + 3 = 3 - n;
invariant 2 + 3 * 4 = 14 & 10 - 4 - 3 = 3;
invariant (n > 0 ? 1 : (n < 0 ? 2 : 3)) != 3;
invariant (n > 0 -> true ? n > 0 : false) = (n > 0);
