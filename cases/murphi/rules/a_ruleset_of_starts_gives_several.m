--@ verdict: holds
--@ states: 6
--@ engine: explicit
var x: 0..2; y: boolean;
ruleset i: 0..2 do
  startstate "at i" x := i; y := false; end;
end;
rule "flip" begin y := !y; end;
