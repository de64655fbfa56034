--@ verdict: violated "who writes has the only copy"
--@ args: --threads any
--@ threads: 2
--@ trace: 2 steps
type cache: scalarset(2);
var valid, dirty: array [cache] of boolean;
startstate for i: cache do valid[i] := false; dirty[i] := false; end; end;
ruleset i: cache do
  rule "read" !valid[i] ==>
    for j: cache do dirty[j] := false; end;
    valid[i] := true;
  end;
  rule "write" begin
    for j: cache do dirty[j] := false; end;
    valid[i] := true;
    dirty[i] := true;
  end;
end;
invariant "who writes has the only copy" forall i: cache do forall j: cache do
  dirty[i] & i != j -> !valid[j] endforall endforall;
