--@ verdict: violated "division by zero"
var x: 0..2;
startstate x := 0; end;
rule "divide" 7 % x = 1 ==> end;
