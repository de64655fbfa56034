--@ verdict: violated "`x` is undefined"
--@ trace: 0 steps
var x, y: 0..3;
startstate clear y; undefine y; end;
rule "compare" x = y ==> end;
