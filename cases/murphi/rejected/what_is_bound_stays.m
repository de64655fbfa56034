const N : 3;
var x : 0 .. 3;
procedure set(var target : 0 .. 3; source : 0 .. 3); begin
  target := source;
  source := 0; --~ ERROR MU011
end;
startstate N := 0; end; --~ ERROR MU011
ruleset i : 0 .. 3 do
  rule i := 0; end; --~ ERROR MU011
  rule set(i, x); end; --~ ERROR MU011
  rule set(3, x); end; --~ ERROR MU011
end;
