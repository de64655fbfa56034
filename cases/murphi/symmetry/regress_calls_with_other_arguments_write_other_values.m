--@ verdict: violated
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
-- The last call wins: one procedure, two constants.
type P: scalarset(3); Q: enum{nil}; U: union{Q,P};
var d: array[P] of 0..3; done: 0..2; k: 0..999; x: 0..3; y: 0..3; o: 0..3; b: boolean; m: multiset[3] of P; ow: P; 
procedure z(var a: 0..3; v: 0..3); begin a := v; end; procedure f(); begin for p:P do if d[p]=1 then z(o,1); elsif d[p]=2 then z(o,2); end; end; assert o = 2; end;
startstate begin done := 0; k := 0; x := 1; y := 2; o := 0; b := false; for p:P do d[p] := 0; end; end;
ruleset p:P; q:P do rule "set" done = 0 & p != q ==> begin d[p] := 1; d[q] := 2; done := 1; multisetadd(p,m); multisetadd(q,m); end; end;

rule "go" done = 1 ==> begin f(); done := 2; end;
rule "again" done = 2 ==> begin for p:P do d[p] := 0; end; done := 0; undefine m; x := 1; o := 0; b := false; undefine ow; end;
rule "tick" begin k := (k+1) % 1000; end;
