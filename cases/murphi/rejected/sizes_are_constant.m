var n : 0 .. 3;
    a : array [0 .. n] of boolean; --~ ERROR MU009
startstate n := 0; end;
ruleset i := 0 to n do --~ ERROR MU009
  rule n := i; end;
end;
