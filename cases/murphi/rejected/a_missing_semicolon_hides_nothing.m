var x : boolean;
startstate
  x := true
  x := false; --~ ERROR MU002
  z := true; --~ ERROR MU005
end;
