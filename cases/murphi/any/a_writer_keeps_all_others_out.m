--@ verdict: holds
--@ args: --threads any
-- The guard looks at all elements, and the invariant speaks of two in different roles.
type proc: scalarset(2);
var reads, writes: array [proc] of boolean;
startstate for i: proc do reads[i] := false; writes[i] := false; end; end;
ruleset i: proc do
  rule "read" forall j: proc do !writes[j] endforall ==> reads[i] := true; end;
  rule "write" forall j: proc do !writes[j] & !reads[j] endforall ==> writes[i] := true; end;
  rule "leave" begin reads[i] := false; writes[i] := false; end;
end;
invariant "nobody reads beside a writer" forall i: proc do forall j: proc do
  writes[i] -> !reads[j] & (i = j | !writes[j]) endforall endforall;
