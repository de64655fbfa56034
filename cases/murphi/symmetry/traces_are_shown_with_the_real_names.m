--@ verdict: violated "never three in a row"
--@ trace: 3 steps
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
type id: scalarset(3);
var next: array [id] of id; 
startstate for i: id do next[i] := i; end; end;
ruleset i: id; j: id do rule "point" i != j ==> next[i] := j; end; end;
invariant "never three in a row"
  !exists a: id do
    next[a] != a & next[next[a]] != a & next[next[a]] != next[a] & next[next[next[a]]] = a
  end;
