--@ verdict: holds
--@ args: --deadlock off
var n: -9..9;
startstate n := -3; end;
rule "mirror" begin n := -n; end;
invariant n = -3 -> n / 2 = -1 & n % 2 = -1 & n / -2 = 1 & n % -2 = -1;
invariant n = 3 -> n / 2 = 1 & n % 2 = 1 & n / -2 = -1 & n % -2 = 1;
