--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 2, 4
type id: scalarset(3); none: enum { nobody }; owner: union { id, none };
var o: owner;
startstate o := nobody; end;
ruleset i: id do
  rule "take" o = nobody ==> o := i; end;
  rule "give" o = i ==> o := nobody; end;
end;
invariant ismember(o, id) | o = nobody;
