type e : enum { a, b };
     s : scalarset(2);
var n : 0 .. 3;
    x : boolean;
    v : e;
    r : record n : 0 .. 3; end;
    m : array [e] of boolean;
startstate
  n := 0;
  x := n; --~ ERROR MU008
  v := true; --~ ERROR MU008
  r := n; --~ ERROR MU008
  m[0] := true; --~ ERROR MU008
  m[a] := isundefined(r); --~ ERROR MU008
  n := x << 1; --~ ERROR MU008
end;
rule n ==> n := 0; end; --~ ERROR MU008
rule 2 & true ==> n := 0; end; --~ ERROR MU008
ruleset i : s; j : s do
  rule i < j ==> n := n.n; end; --~ ERROR MU008 --~ ERROR MU008 --~ ERROR MU008
end;
