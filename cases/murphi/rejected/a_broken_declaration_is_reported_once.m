type node : 0 .. NODES; --~ ERROR MU005
var a : array [node] of boolean;
    owner : node;
function mine(n : node) : boolean; begin return n = owner; end;
startstate
  for n : node do a[n] := false; end;
  owner := 0;
end;
ruleset n : node do
  rule mine(n) & !a[n] ==> a[n] := true; end;
end;
invariant a[0] -> owner = 0;
