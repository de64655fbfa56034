--@ verdict: violated "done only at the end"
--@ trace: 1 step
var x: 0..5; done: boolean;
startstate x := 0; done := false; end;
rule "fast" x < 4 ==> x := x + 1; end;
rule "slow" begin done := true; end;
invariant "done only at the end" done -> x = 4;
