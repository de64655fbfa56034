--@ verdict: holds
--@ args: --deadlock off
-- The place is found when the alias is made; changing the index later does not
-- move it.
var a: array [0..1] of 0..9; i: 0..1;
startstate
  a[0] := 0; a[1] := 0; i := 0;
  alias here: a[i] do
    i := 1;
    here := 5;
  end;
end;
rule "stay" begin i := i; end;
invariant a[0] = 5 & a[1] = 0;
