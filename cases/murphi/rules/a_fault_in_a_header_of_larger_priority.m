--@ engine: explicit, explicit --interpret
--@ verdict: violated "index out of range"
--@ trace: 2 steps
-- An alias around a rule is found as soon as its guard is evaluated, whichever rule fires.
var a: array [0..1] of 0..2; i: 0..3;
startstate a[0] := 0; a[1] := 0; i := 0; end;
rule 1 "up" i < 3 ==> i := i + 1; end;
alias mine: a[i] do
  rule 5 "mine" mine = 1 ==> mine := 2; end;
end;
