--@ verdict: unknown "views of 2 of `proc`"
--@ args: --threads any
-- No third one has a permit while two have, but views of two cannot say so. There is no error:
-- permits and those who have one are always two.
type proc: scalarset(3);
var free: 0..2; has: array [proc] of boolean;
startstate free := 2; for i: proc do has[i] := false; end; end;
ruleset i: proc do
  rule "acquire" free > 0 & !has[i] ==> has[i] := true; free := free - 1; end;
  rule "release" has[i] ==> has[i] := false; free := free + 1; end;
end;
invariant "permits come back" free <= 2;
