--@ verdict: holds
--@ states: 3
--@ engine: explicit
type colour: enum { red, green, blue };
var c: colour;
startstate c := red; end;
rule "step" begin
  switch c
    case red: c := green;
    case green: c := blue;
    else c := red;
  end;
end;
