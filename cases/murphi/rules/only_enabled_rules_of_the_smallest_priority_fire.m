--@ verdict: holds
--@ states: 6
--@ args: --deadlock off
--@ engine: explicit
-- Without priorities, "slow" would fire at once and the invariant would fail.
var x: 0..5; done: boolean;
startstate x := 0; done := false; end;
rule 1 "fast" x < 4 ==> x := x + 1; end;
rule 20 "slow" begin done := true; x := 5; end;
invariant done -> x = 5;
invariant x = 5 -> done;
