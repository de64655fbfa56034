--@ verdict: violated "`x` is undefined"
--@ trace: 1 step
--@ args: --ltl '[] (x < 3)'
var x: 0..2;
startstate x := 0; end;
rule "forget" !isundefined(x) ==> undefine x; end;
rule "set" isundefined(x) ==> x := 1; end;
