--@ verdict: holds
var x: 0..2; tick: boolean;
startstate tick := false; end;
rule "set" isundefined(x) & tick ==> x := 2; tick := false; end;
rule "use" !isundefined(x) & x = 2 ==> undefine x; end;
rule "tick" begin tick := !tick; end;
invariant isundefined(x) | x = 2;
invariant !isundefined(x) -> x = 2;
