--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry
--@ states: 6, 9
-- Each of two boxes holds {}, {false} or {false, false}.
type id: scalarset(2);
var box: array [id] of multiset [2] of boolean;
startstate undefine box; end;
ruleset i: id do
  rule "put" multisetcount(k: box[i], true) < 2 ==> multisetadd(false, box[i]); end;
  rule "empty" multisetcount(k: box[i], true) = 2 ==> undefine box[i]; end;
end;
