--@ verdict: holds
--@ args: --deadlock off
--@ engine: explicit, explicit --interpret
-- Values of two unions with a common member, with and without a value. The common
-- member has other codes in each.
type
  A: scalarset(2); B: scalarset(2); C: enum { c1, c2 };
  U: union { A, C, B };
  V: union { C, B };
var u: U; v: V; b: B; step: 0..6;
startstate step := 0; end;
rule "both undefined" step = 0 ==> begin
  assert u = v & !(u != v); assert u = b & v = b; step := 1;
end;
ruleset x: U do rule "one defined" step = 1 ==> begin
  u := x; assert u != v & v != u & !(u = v); assert u != b & b != v | b = v; step := 2;
end; end;
ruleset y: V do rule "other defined" step = 2 ==> begin
  v := y; assert (u = v) = (ismember(u, C) & ismember(v, C) & u = y | ismember(u, B) & ismember(v, B) & u = y);
  step := 3;
end; end;
rule "the first again not" step = 3 ==> begin undefine u; assert u != v; step := 4; end;
rule "same" step = 4 ==> begin u := v; assert u = v; step := 5; end;
rule "an element" step = 5 & ismember(u, B) ==> begin
  b := u; assert b = u & v = b & !(b != v); undefine v; assert b != v & v != b; step := 6;
end;
cover step = 6;
