--@ verdict: holds
--@ states: 4
--@ engine: explicit
var x: 0..9;
startstate x := 0; end;
ruleset i := 1 to 9 by 4 do
  rule "set" begin x := i; end;
end;
invariant x = 0 | x = 1 | x = 5 | x = 9;
