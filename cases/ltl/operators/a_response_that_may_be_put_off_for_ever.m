--@ verdict: violated
--@ args: --ltl '[] ((request) -> <> (answer))'
var request, answer: boolean; n: 0..2;
startstate request := false; answer := false; n := 0; end;
rule "ask" !request & !answer ==> request := true; n := 2; end;
rule "work" request & n > 0 ==> n := n - 1; end;
rule "more work" request & n < 2 ==> n := n + 1; end;
rule "tell" request & n = 0 ==> answer := true; request := false; end;
rule "rest" answer ==> answer := false; end;
