--@ verdict: violated "not all"
--@ trace: 4 steps
type id: scalarset(3); place: union { id, enum { home } };
var visited: array [place] of boolean;
startstate for p: place do visited[p] := false; end; end;
ruleset p: place do
  rule "visit" begin visited[p] := true; end;
end;
invariant "not all" exists p: place do !visited[p] end;
