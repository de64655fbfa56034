--@ verdict: holds
--@ args: --threads any
-- A name in a shared variable may be that of an element that the view does not show.
type proc: scalarset(2);
var owner: proc; owns: array [proc] of boolean;
startstate undefine owner; for i: proc do owns[i] := false; end; end;
ruleset i: proc do
  rule "take" isundefined(owner) ==> owner := i; owns[i] := true; end;
  rule "give back" owns[i] ==>
    assert owner = i "the owner is known";
    owns[owner] := false;
    undefine owner;
  end;
end;
