--@ verdict: holds
--@ args: --threads any
-- Views show as many elements as the invariant speaks of, and three are enough.
type proc: scalarset(3);
var free: 0..2; has: array [proc] of boolean;
startstate free := 2; for i: proc do has[i] := false; end; end;
ruleset i: proc do
  rule "acquire" free > 0 & !has[i] ==> has[i] := true; free := free - 1; end;
  rule "release" has[i] ==> has[i] := false; free := free + 1; end;
end;
invariant "two permits" forall i: proc do forall j: proc do forall k: proc do
  has[i] & has[j] & has[k] -> i = j | i = k | j = k endforall endforall endforall;
