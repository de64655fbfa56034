--@ verdict: violated "index out of range"
--@ trace: 0 steps
var a: array [0..1] of 0..2; i: 0..5;
startstate a[0] := 0; a[1] := 0; i := 4; end;
alias mine: a[i] do
  rule "up" mine < 2 ==> mine := mine + 1; end;
end;
