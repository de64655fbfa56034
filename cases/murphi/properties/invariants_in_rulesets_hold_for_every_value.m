--@ verdict: violated "small"
--@ trace: 2 steps
var a: array [0..2] of 0..3;
startstate for i: 0..2 do a[i] := 0; end; end;
ruleset i: 0..2 do
  rule "up" a[i] < i ==> a[i] := a[i] + 1; end;
  invariant "small" a[i] < 2;
end;
