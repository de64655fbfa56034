--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 2, 3
-- With symmetry, the state after the step looks like the state before it. It is
-- another one all the same.
type id: scalarset(2);
var holder: id; other: id;
startstate undefine holder; end;
ruleset i: id do
  rule "first" isundefined(holder) ==> holder := i; end;
  rule "pass" !isundefined(holder) & i != holder ==> holder := i; end;
end;
