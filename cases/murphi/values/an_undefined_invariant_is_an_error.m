--@ verdict: violated "`x` is undefined"
--@ trace: 1 step
var x: 0..2;
startstate x := 0; end;
rule "forget" !isundefined(x) ==> undefine x; end;
invariant "small" x < 2;
