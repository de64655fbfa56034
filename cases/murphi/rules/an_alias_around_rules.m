--@ verdict: holds
--@ states: 9
--@ engine: explicit
var a: array [0..1] of 0..2;
startstate a[0] := 0; a[1] := 0; end;
ruleset i: 0..1 do
  alias mine: a[i]; other: a[1 - i] do
    rule "up" mine < 2 & mine <= other ==> mine := mine + 1; end;
    rule "down" mine = 2 ==> mine := 0; end;
  end;
end;
