var x : boolean;
startstate
  for i := 10 to 0 by 1 do x := true; end; --~ ERROR MU016
end;
