var counter : 0 .. 3;
    r : record high, low : boolean; end;
startstate
  countr := 0; --~ ERROR MU005
  r.hihg := true; --~ ERROR MU005
end;
