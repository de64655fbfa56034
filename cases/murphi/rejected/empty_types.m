type back_to_front : 8 .. 1; --~ ERROR MU010
     nothing : enum { }; --~ ERROR MU010
     nobody : scalarset(0); --~ ERROR MU010
     alone : union { scalarset(2) }; --~ ERROR MU010
var x : boolean;
startstate
  for i := 0 to 3 by 0 do x := true; end; --~ ERROR MU010
end;
