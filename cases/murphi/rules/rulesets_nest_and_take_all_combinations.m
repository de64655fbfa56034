--@ verdict: holds
--@ states: 13
--@ engine: explicit
var x: 0..2; y: 0..1; z: boolean; fresh: boolean;
startstate x := 0; y := 0; z := false; fresh := true; end;
ruleset i: 0..2 do
  ruleset j: 0..1; k: boolean do
    rule "set" begin x := i; y := j; z := k; fresh := false; end;
  end;
end;
