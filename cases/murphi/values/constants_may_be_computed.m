--@ verdict: holds
--@ args: --const N=4
--@ states: 8
--@ engine: explicit
const N: 3; LAST: N * 2 - 1; IS_LARGE: N > 3;
var x: 0..LAST;
startstate x := 0; end;
rule "round" begin x := (x + 1) % (LAST + 1); end;
invariant x <= 7 & IS_LARGE;
