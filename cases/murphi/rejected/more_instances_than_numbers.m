var x : boolean;
startstate x := true; end;
ruleset i, j : 0 .. 3 do --~ ERROR MU002
  rule x := !x; end;
end;
ruleset i : 0 .. 4000000000; j : 0 .. 4000000000; k : 0 .. 9 do --~ ERROR MU017
  rule x := !x; end;
end;
ruleset i : 0 .. 1000 do
  liveness "too many" x; --~ ERROR MU017
end;
