--@ verdict: holds
--@ args: --deadlock off
--@ states: 2
--@ engine: explicit
var x: 1..27;
startstate x := 27; end;
rule "divide" begin while x > 3 do x := x / 3; end; x := 27 / x; end;
invariant x = 27 | x = 9;
