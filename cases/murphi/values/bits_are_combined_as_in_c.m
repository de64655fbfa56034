--@ verdict: holds
--@ args: --deadlock off
-- An extension: `&` and `|` on numbers work on bits.
var x: 0..15;
startstate x := 12; end;
rule "stay" begin x := x; end;
invariant (x & 10) = 8 & (x | 3) = 15 & (x ^ 5) = 9;
invariant (x << 2) = 48 & (x >> 2) = 3 & ~x = -13;
