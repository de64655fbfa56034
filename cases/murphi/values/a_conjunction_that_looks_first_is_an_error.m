--@ verdict: violated "`x` is undefined"
-- The same test in the wrong order.
var x: 0..2;
startstate end;
rule "use" x = 2 & !isundefined(x) ==> end;
