--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --order dfs
--@ states: 3, 4, 3
type id: scalarset(2);
var net: multiset [2] of id;
startstate undefine net; end;
ruleset i: id do
  rule "send" multisetcount(m: net, net[m] = i) = 0 ==> multisetadd(i, net); end;
end;
choose m: net do
  rule "receive" multisetcount(k: net, true) = 2 ==> multisetremove(m, net); end;
end;
rule "lose all" multisetcount(k: net, true) = 2 ==> undefine net; end;
