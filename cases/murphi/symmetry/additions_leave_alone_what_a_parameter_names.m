--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 7, 27, 7
--@ args: --deadlock off
-- The parameter may lie in a slot of the array that the loop adds to; additions do not change it.
type node: scalarset(3); mail: record src: node; end;
var net: array [node] of multiset [1] of mail;
procedure send(to_whom: node; from: node); var x: mail;
begin x.src := from; multisetadd(x, net[to_whom]); end;
procedure tell(rest: node);
begin
  for n: node do
    if n != rest & multisetcount(i: net[n], true) = 0 then send(n, rest); end;
  end;
end;
startstate undefine net; end;
ruleset n: node do
  rule "begin" begin tell(n); end;
  choose i: net[n] do
    rule "pass on" begin tell(net[n][i].src); multisetremove(i, net[n]); end;
  end;
end;
