--@ verdict: holds
--@ states: 5, 9, 5
--@ engine: explicit, explicit --no-symmetry, explicit --order dfs
-- Holder and previous holder; at first there is none.
type id: scalarset(2);
var holder, previous: id;
startstate undefine holder; end;
ruleset i: id do
  rule "pass" begin previous := holder; holder := i; end;
end;
rule "drop" !isundefined(holder) ==> previous := holder; undefine holder; end;
