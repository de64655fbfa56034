-- The change is found behind another call, and through an alias.
var n : 0 .. 3;
function take() : boolean; begin
  alias m : n do m := 0; end;
  return true;
end;
function offer() : boolean; begin return take(); end;
function harmless() : boolean; var k : 0 .. 3; begin k := n; return k = 0; end;
startstate n := 0; end;
rule harmless() ==> n := 1; end;
rule offer() ==> n := 1; end; --~ ERROR MU013
invariant offer(); --~ ERROR MU013
